<?php

// The shared vectors, byte for byte: `php tests/vectors.php`, with their folder in PAYSPEC_VECTORS.

declare(strict_types=1);

require_once __DIR__ . '/../src/autoload.php';

use Payspec\Engine;
use Payspec\PayspecException;

function bytes(mixed $input): ?string
{
    return is_array($input) ? hex2bin($input['hex']) : $input;
}

/** Returns the return code and the buffer of the C function. */
function called(string $operation, array $vector): array
{
    try {
        $engine = new Engine($vector['policy'] ?? null);
        $answer = $engine->call($operation, ...array_map(bytes(...), $vector['inputs']));
        return [$answer->accepted ? 0 : 1, $answer->json];
    } catch (PayspecException $error) {
        $members = ['code' => $error->kind, 'path' => $error->path, 'message' => $error->detail];
        return [$error->getCode(), json_encode(['error' => $members], JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE)];
    }
}

/** The number of inputs of each operation whose first input is a body. */
const WITH_BODY = [
    'validate_request' => 2, 'create_payment' => 2, 'check_payment' => 2, 'field_currencies' => 1,
    'fingerprint_request' => 1, 'downgrade_request' => 1, 'upgrade_balance' => 1, 'downgrade_balance' => 1,
    'upgrade_payment' => 1, 'downgrade_payment' => 1, 'redact' => 1, 'sign_webhook' => 2,
    'verify_webhook' => 2, 'locate' => 2,
];

/** Returns the results of vectors with the same policy and second input in a batch. */
function calledTogether(string $operation, array $vectors): array
{
    $inputs = array_map(static fn ($vector) => array_map(bytes(...), $vector['inputs']), $vectors);
    try {
        $engine = new Engine($vectors[0]['policy'] ?? null);
        $answers = $engine->batch($operation, array_column($inputs, 0), $inputs[0][1] ?? null);
        return array_map(static fn ($answer) => [$answer->accepted ? 0 : 1, $answer->json], $answers);
    } catch (PayspecException $error) {
        $members = ['code' => $error->kind, 'path' => $error->path, 'message' => $error->detail];
        $text = json_encode(['error' => $members], JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        return array_fill(0, count($vectors), [$error->getCode(), $text]);
    }
}

[$correct, $incorrect, $together] = [0, 0, 0];
foreach (glob((getenv('PAYSPEC_VECTORS') ?: __DIR__ . '/../../../tests/vectors') . '/*/*.json') as $path) {
    $file = json_decode(file_get_contents($path), true, 512, JSON_THROW_ON_ERROR);
    foreach ($file['vectors'] as $vector) {
        if (called($file['operation'], $vector) === [$vector['returns'], $vector['answer'] ?? null]) {
            $correct++;
        } else {
            $incorrect++;
            echo "{$vector['name']}\n";
        }
    }
    $batches = [];
    foreach ($file['vectors'] as $vector) {
        $inputs = $vector['inputs'];
        if (isset($inputs[0]) && count($inputs) <= (WITH_BODY[$file['operation']] ?? 0)) {
            $batches[serialize([$vector['policy'] ?? null, $inputs[1] ?? null])][] = $vector;
        }
    }
    foreach ($batches as $vectors) {
        $together += count($vectors);
        $expected = array_map(static fn ($vector) => [$vector['returns'], $vector['answer'] ?? null], $vectors);
        if (calledTogether($file['operation'], $vectors) !== $expected) {
            $incorrect++;
            echo "a batch with {$vectors[0]['name']}\n";
        }
    }
}
echo "vectors: $correct passed, $incorrect failed\n";
exit($incorrect > 0 || $correct === 0 || $together < 1000 ? 1 : 0);
