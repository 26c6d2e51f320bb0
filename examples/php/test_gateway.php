<?php

// Tests gateway.php over HTTP: `php test_gateway.php`.

declare(strict_types=1);

const BODY = '{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}';

$free = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($free, false);
fclose($free);
$folder = sys_get_temp_dir() . '/payspec-' . bin2hex(random_bytes(8));
mkdir($folder);
$log = tmpfile();
$command = [PHP_BINARY, '-d', 'ffi.enable=1', '-S', $address, __DIR__ . '/gateway.php'];
$variables = ['PAYSPEC_TOKEN' => 'secret', 'PAYSPEC_RECORDS' => $folder] + getenv();
$server = proc_open($command, [1 => $log, 2 => $log], $pipes, null, $variables);

/** Returns the status, the headers and the body. */
function post(string $body, string $authorization = 'Bearer secret', ?string $key = null, string $path = '/v1/payments/new'): array
{
    global $address;
    $headers = "Authorization: $authorization\r\nContent-Type: application/json\r\n" . ($key === null ? '' : "Idempotency-Key: $key\r\n");
    $options = ['method' => 'POST', 'header' => $headers, 'content' => $body, 'ignore_errors' => true, 'timeout' => 20];
    for ($tries = 0; $tries < 100; $tries++) {
        $text = @file_get_contents("http://$address$path", false, stream_context_create(['http' => $options]));
        if ($text !== false) {
            return [(int) substr($http_response_header[0], 9, 3), implode("\n", $http_response_header), $text];
        }
        usleep(50_000);
    }
    return [0, '', ''];
}

[$passed, $failed] = [0, 0];
function check(bool $holds): void
{
    global $passed, $failed;
    if ($holds) {
        $passed++;
    } else {
        $failed++;
        echo 'line ', debug_backtrace()[0]['line'], "\n";
    }
}

$first = post(BODY, key: '"order-7"');
$again = post(BODY, key: 'order-7');
check($first[0] === 201 && !str_contains($first[1], 'Idempotent-Replayed'));
check($again[0] === 201 && str_contains($again[1], 'Idempotent-Replayed: true') && $again[2] === $first[2]);
check(post(str_replace('990', '991', BODY), key: 'order-7')[0] === 409);
check(post(BODY)[2] !== post(BODY)[2]);
foreach (['Bearer other', "Bearer a\xff", "\xff", 'Basic x'] as $authorization) {
    $answer = post(BODY, $authorization, "\xff");
    check($answer[0] === 401 && str_contains($answer[1], 'WWW-Authenticate: Bearer'));
}
foreach (["a\xff", 'a b', '"'] as $key) {
    check(post(BODY, key: $key)[0] === 400);
}
foreach (['', "\xff", '[]', str_repeat('{', 1000), str_repeat('x', 70_000), str_repeat('x', 200_000)] as $body) {
    check(in_array(post($body)[0], [400, 413, 422], true));
}
check(post(BODY, path: '/other')[0] === 404);

proc_terminate($server);
proc_close($server);
array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
echo "tests: $passed passed, $failed failed\n";
exit($failed > 0 ? 1 : 0);
