<?php

// A gateway without a framework: POST /v1/payments/new.
//
//     PAYSPEC_TOKEN=secret php -d ffi.enable=1 -S 127.0.0.1:8000 gateway.php

declare(strict_types=1);

// A program with Composer requires vendor/autoload.php.
require_once __DIR__ . '/../../bindings/php/src/autoload.php';

use Payspec\Engine;
use Payspec\Outcome;
use Payspec\Raw;

// More than the 65536 bytes of the default policy, which answers a longer body with 413.
const MOST_BYTES = 1 << 17;

/** The records of keys, in files. In a database: a table with a unique key. */
final class Records
{
    public function __construct(private readonly string $folder)
    {
    }

    /** Runs a function with the record of a key, and stores the record of its outcome, while no other request has the key. */
    public function exchange(string $key, DateTimeImmutable $now, callable $create): Outcome
    {
        $file = fopen("$this->folder/" . hash('sha256', $key), 'c+');
        flock($file, LOCK_EX);
        $stored = stream_get_contents($file);
        $outcome = $create($stored === '' ? null : new Raw($stored));
        $record = $outcome->record($now);
        if ($record !== null) {
            fwrite($file, $record);
        }
        fclose($file);
        return $outcome;
    }
}

/** Returns a random UUID (version 4). */
function newUid(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

function newPayment(Records $records, string $body, ?string $authorization, ?string $keyHeader, string $token): Outcome
{
    $engine = new Engine();
    $credential = $engine->authorize($authorization);
    if ($credential instanceof Outcome) {
        return $credential;
    }
    $accepted = hash_equals($token, $credential);
    $context = [
        'uid' => newUid(),
        'now' => $now = new DateTimeImmutable(),
        'authorization' => ['header' => $authorization, 'accepted' => $accepted],
        'url' => 'https://pay.example/',
    ];
    if ($keyHeader === null || !$accepted) {
        return $engine->createPayment($body, $context);
    }
    $key = $engine->idempotencyKey($keyHeader);
    return $key instanceof Outcome ? $key : $records->exchange($key, $now, static fn (?Raw $existing): Outcome =>
        $engine->createPayment($body, $context + ['idempotency' => ['key' => $key, 'existing' => $existing]]));
}

if ($_SERVER['REQUEST_METHOD'] !== 'POST' || strtok($_SERVER['REQUEST_URI'], '?') !== '/v1/payments/new') {
    http_response_code(404);
    return;
}
$token = getenv('PAYSPEC_TOKEN') ?: throw new RuntimeException('PAYSPEC_TOKEN is not set');
$records = new Records(getenv('PAYSPEC_RECORDS') ?: sys_get_temp_dir());
$body = (string) file_get_contents('php://input', length: MOST_BYTES);
$outcome = newPayment($records, $body, $_SERVER['HTTP_AUTHORIZATION'] ?? null, $_SERVER['HTTP_IDEMPOTENCY_KEY'] ?? null, $token);
http_response_code($outcome->status);
header('Content-Type: application/json');
if ($outcome->wwwAuthenticate !== null) {
    header("WWW-Authenticate: $outcome->wwwAuthenticate");
}
if ($outcome->replayed) {
    header('Idempotent-Replayed: true');
}
echo $outcome->body;
