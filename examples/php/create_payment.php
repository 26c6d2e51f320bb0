#!/usr/bin/env php
<?php

// Answers POST /v1/payments/new: the request's body on standard input, the HTTP answer on standard output.
//
// Exit code: 0 for a success, 1 for a problem that the client gets, 2 for a caller error.

declare(strict_types=1);

// A program with Composer requires vendor/autoload.php.
require __DIR__ . '/../../bindings/php/src/autoload.php';

use Payspec\Engine;
use Payspec\Outcome;
use Payspec\Raw;

const USAGE = <<<'TEXT'
    usage: create_payment.php [--key K] [--record FILE] [--quote FILE] [--policy FILE] [--url U] [--uid U] [--now T]
      --key K        the request's Idempotency-Key header
      --record FILE  what is stored under the key; written if new
      --quote FILE   for CRYPTO: {"currency", "rate", "as_of"}
      --policy FILE  the policy
      --url U        where the client completes the payment
      --uid U        the payment's uid; a new one without it
      --now T        the time, RFC 3339; the clock's without it
    PAYSPEC_AUTHORIZATION: the request's Authorization header. PAYSPEC_TOKEN: the token that is accepted.
    Exit code: 0 for a success, 1 for a problem, 2 for a caller error.

    TEXT;

// Well over the 65536 bytes of the default policy. A longer body is rejected even if the policy allows it.
const MOST_BYTES = 1 << 20;

/** @return array<string, string> */
function options(array $arguments): array
{
    $given = [];
    foreach (array_chunk($arguments, 2) as $pair) {
        $known = in_array($pair[0], ['--key', '--record', '--quote', '--policy', '--url', '--uid', '--now'], true);
        if (!$known || !isset($pair[1])) {
            throw new InvalidArgumentException('see --help for its options');
        }
        $given[substr($pair[0], 2)] = $pair[1];
    }
    return $given;
}

function contents(string $path): string
{
    $text = @file_get_contents($path);
    return $text !== false ? $text : throw new RuntimeException("$path cannot be read");
}

/** Returns a random UUID (version 4). */
function newUid(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

/** Returns the context: identity, time, credential, price. */
function context(array $given, string $now, ?string $header, bool $accepted): array
{
    return [
        'uid' => $given['uid'] ?? newUid(),
        'now' => $now,
        'authorization' => ['header' => $header, 'accepted' => $accepted],
        ...isset($given['url']) ? ['url' => $given['url']] : [],
        ...isset($given['quote']) ? ['quote' => new Raw(contents($given['quote']))] : [],
    ];
}

/** Creates the payment of an accepted request. Saves it under its key for the next request with this key. */
function create(Engine $engine, array $given, array $context, string $body): Outcome
{
    $record = $given['record'] ?? null;
    if (isset($given['key'])) {
        $key = $engine->idempotencyKey($given['key']);
        if ($key instanceof Outcome) {
            return $key;
        }
        // A gateway stores this in its database, under a unique key.
        $known = $record !== null && file_exists($record);
        $context['idempotency'] = ['key' => $key, 'existing' => $known ? new Raw(contents($record)) : null];
    }
    $outcome = $engine->createPayment($body, $context);
    // A longer body was not read completely: only 413 does not depend on the rest.
    if (strlen($body) > MOST_BYTES && $outcome->status !== 413) {
        throw new InvalidArgumentException('the body is longer than 1 MiB');
    }
    $text = $outcome->record($context['now']);
    if ($text !== null && $record !== null && @file_put_contents($record, $text) === false) {
        throw new RuntimeException("$record cannot be written");
    }
    return $outcome;
}

/** Prints the outcome as HTTP, with its body unchanged. */
function respond(Outcome $outcome): void
{
    $reason = $outcome->ok() ? 'Created' : $outcome->decode()['title'];
    echo "HTTP/1.1 $outcome->status $reason\r\n";
    echo "Content-Type: application/json\r\n";
    echo 'Content-Length: ' . strlen($outcome->body) . "\r\n";
    if ($outcome->wwwAuthenticate !== null) {
        echo "WWW-Authenticate: $outcome->wwwAuthenticate\r\n";
    }
    echo "\r\n$outcome->body";
    foreach ($outcome->warnings as $warning) {
        fwrite(STDERR, "warning: {$warning['path']}: {$warning['message']}\n");
    }
}

function main(array $arguments): int
{
    if ($arguments === ['--help']) {
        echo USAGE;
        return 0;
    }
    $given = options($arguments);
    $token = getenv('PAYSPEC_TOKEN') ?: throw new RuntimeException('PAYSPEC_TOKEN is not set');
    $header = getenv('PAYSPEC_AUTHORIZATION');
    $header = $header === false ? null : $header;
    $now = $given['now'] ?? Engine::timestamp(new DateTimeImmutable());
    $body = stream_get_contents(STDIN, MOST_BYTES + 1);

    $engine = new Engine(isset($given['policy']) ? contents($given['policy']) : null);
    $outcome = $engine->authorize($header);
    if (is_string($outcome)) {
        $accepted = hash_equals($token, $outcome);
        $context = context($given, $now, $header, $accepted);
        $outcome = $accepted ? create($engine, $given, $context, $body) : $engine->createPayment($body, $context);
    }
    respond($outcome);
    return $outcome->ok() ? 0 : 1;
}

try {
    exit(main(array_slice($argv, 1)));
} catch (Exception $error) {
    fwrite(STDERR, "create_payment: {$error->getMessage()}\n");
    exit(2);
}
