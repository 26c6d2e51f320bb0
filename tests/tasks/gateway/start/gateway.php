<?php

// A gateway: it answers every request with 501.

declare(strict_types=1);

/**
 * Runs an operation of `payspec call`, and returns its answer, decoded to objects.
 *
 * @param array<string, string> $inputs the inputs by the name of their option; a body or a context is the text, not a file
 */
function payspec(string $operation, array $inputs): object
{
    $command = [getenv('PAYSPEC'), 'call', $operation];
    $files = [];
    foreach ($inputs as $name => $value) {
        if ($name === 'body' || $name === 'context') {
            $files[] = $file = tempnam(sys_get_temp_dir(), 'payspec');
            file_put_contents($file, $value);
            $value = $file;
        }
        $command[] = "--$name=$value";
    }
    $process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
    $answer = stream_get_contents($pipes[1]);
    proc_close($process);
    array_map(unlink(...), $files);
    return json_decode($answer, flags: JSON_THROW_ON_ERROR);
}

http_response_code(501);
