<?php

// A gateway: the three endpoints, with payments and records of keys in one file.

declare(strict_types=1);

const MOST_BYTES = 1 << 17;
const RATE = '92.45';
const JSON = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR;

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

/** The payments, each with the record of its key in one line of a file, so that both are stored or neither. */
final class Payments
{
    /** @var resource */
    private $file;

    /** Opens the file, and waits until no other request uses it. */
    public function __construct()
    {
        $this->file = fopen(getenv('DATA') . '/payments.jsonl', 'a+');
        flock($this->file, LOCK_EX);
    }

    /** Returns the first line that a function accepts. */
    public function find(callable $accepts): ?object
    {
        rewind($this->file);
        while (($line = fgets($this->file)) !== false) {
            // A line that a killed process did not complete is not JSON.
            $stored = json_decode($line);
            if (is_object($stored) && $accepts($stored)) {
                return $stored;
            }
        }
        return null;
    }

    public function add(array $line): void
    {
        // The first line feed ends the line of a killed process.
        fwrite($this->file, "\n" . json_encode($line, JSON) . "\n");
        fflush($this->file);
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

/** Answers `POST /v1/payments/new`. */
function create(string $body, array $authorization): object
{
    $now = (new DateTimeImmutable('now', new DateTimeZone('UTC')))->format('Y-m-d\TH:i:s.v\Z');
    $uid = newUid();
    $context = ['uid' => $uid, 'now' => $now, 'authorization' => $authorization, 'url' => "https://pay.example/$uid"];
    if ((json_decode($body)->cur ?? null) === 'RUB') {
        $context['quote'] = ['currency' => 'RUB', 'rate' => RATE, 'as_of' => $now];
    }
    $key = null;
    $payments = null;
    if ($authorization['accepted']) {
        $payments = new Payments();
        $header = $_SERVER['HTTP_IDEMPOTENCY_KEY'] ?? null;
        if ($header !== null) {
            $answer = payspec('idempotency_key', ['header' => $header]);
            if (isset($answer->status)) {
                return $answer;
            }
            $key = $answer->key;
            $existing = $payments->find(fn (object $line): bool => $line->key === $key)?->record;
            $context['idempotency'] = ['key' => $key, 'existing' => $existing];
        }
    }
    $outcome = payspec('create_payment', ['body' => $body, 'context' => json_encode($context, JSON)]);
    if ($outcome->status === 201 && !$outcome->replayed) {
        $record = ['created_at' => $now, 'fingerprint' => $outcome->fingerprint, 'payment' => $outcome->body];
        $payments->add(['key' => $key, 'record' => $record]);
    }
    return $outcome;
}

/** Answers `GET /v1/payments/{uid}/status`. */
function status(string $uid, array $authorization): object
{
    $payment = null;
    if ($authorization['accepted']) {
        $payment = (new Payments())->find(fn (object $line): bool => $line->record->payment->uid === $uid)?->record->payment;
    }
    $context = ['uid' => $uid, 'authorization' => $authorization, 'payment' => $payment];
    return payspec('read_payment', ['context' => json_encode($context, JSON)]);
}

/** Answers a request, or returns null for an address that does not exist. */
function respond(string $method, string $path): ?object
{
    $header = $_SERVER['HTTP_AUTHORIZATION'] ?? null;
    $credential = $header === null ? null : payspec('authorize', ['header' => $header]);
    $authorization = ['header' => $header, 'accepted' => hash_equals(getenv('TOKEN'), $credential->token ?? '')];
    if ($method === 'POST' && $path === '/v1/payments/new') {
        return create((string) file_get_contents('php://input', length: MOST_BYTES), $authorization);
    }
    if ($method === 'GET' && $path === '/v1/partner/balance') {
        $context = ['authorization' => $authorization, 'balance' => ['cur' => 'RUB']];
        return payspec('read_balance', ['context' => json_encode($context, JSON)]);
    }
    if ($method === 'GET' && preg_match('~^/v1/payments/([^/]+)/status$~', $path, $found)) {
        return status(rawurldecode($found[1]), $authorization);
    }
    return null;
}

$outcome = respond($_SERVER['REQUEST_METHOD'], strtok($_SERVER['REQUEST_URI'], '?'));
http_response_code($outcome->status ?? 404);
header('Content-Type: application/json');
if (isset($outcome->www_authenticate)) {
    header("WWW-Authenticate: $outcome->www_authenticate");
}
if ($outcome->replayed ?? false) {
    header('Idempotent-Replayed: true');
}
echo json_encode($outcome->body ?? null, JSON);
