<?php

// The package's own tests, and the shared vectors byte for byte: `php tests/run.php`.

declare(strict_types=1);

require __DIR__ . '/../src/autoload.php';

use Payspec\Answer;
use Payspec\Engine;
use Payspec\PayspecException;

const BODY = '{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50",'
    . '"merchant_id":"shop-42","user_name":"Анна"}';
const UID = '0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11';
const NOW = '2026-11-20T10:15:30.250Z';

function same(mixed $expected, mixed $found): void
{
    if ($expected !== $found) {
        throw new AssertionError(var_export($found, true) . ' is not ' . var_export($expected, true));
    }
}

/** The exception's kind and path. */
function thrown(callable $call): array
{
    try {
        $call();
    } catch (PayspecException $error) {
        return [$error->kind, $error->path];
    } catch (Throwable $error) {
        return [$error::class];
    }
    return ['nothing'];
}

$tests = [
    'a request is judged' => static function (): void {
        $engine = new Engine();
        same(true, $engine->validateRequest(BODY)['valid']);
        same(true, $engine->validateRequest(BODY, new DateTimeImmutable())['valid']);
        same(true, $engine->accepts(BODY));
        same('/amount', $engine->validateRequest(str_replace('990.50', '990,50', BODY))['violations'][0]['path']);
    },
    'a payment is created' => static function (): void {
        $context = ['uid' => UID, 'now' => new DateTimeImmutable(NOW), 'charges' => ['fee' => '1.50']];
        $outcome = (new Engine())->createPayment(BODY, $context);
        same([201, '992.00', NOW], [$outcome['status'], $outcome['body']['total'], $outcome['body']['created_date']]);
    },
    'whatever a client sends is an answer' => static function (): void {
        $engine = new Engine();
        foreach (['', "\xff", "\0", '[]', str_repeat('{', 100_000), str_repeat(' ', 100_000)] as $body) {
            same(false, $engine->validateRequest($body)['valid']);
            same(false, $engine->accepts($body));
            same(false, $engine->call('create_payment', $body, Engine::json(['uid' => UID, 'now' => NOW]))->accepted);
        }
    },
    'misuse throws' => static function (): void {
        $engine = new Engine();
        same(['policy', '/colour'], thrown(static fn () => new Engine(['colour' => 'blue'])));
        same(['policy', ''], thrown(static fn () => new Engine('')));
        same(['context', '/uid'], thrown(static fn () => $engine->createPayment(BODY, ['uid' => '7', 'now' => NOW])));
        same(['context', '/uid'], thrown(static fn () => $engine->createPayment(BODY, [])));
        same(['null', '/context'], thrown(static fn () => $engine->call('create_payment', BODY)));
        same(['JsonException'], thrown(static fn () => $engine->createPayment(BODY, ['uid' => "\xff"])));
        same(['ValueError'], thrown(static fn () => $engine->call('validateRequest', BODY)));
        same(['ArgumentCountError'], thrown(static fn () => $engine->call('states', BODY)));
        same(['Error'], thrown(static fn () => clone $engine));
        same(['Exception'], thrown(static fn () => serialize($engine)));
        $told = null;
        try {
            new Engine(['colour' => 'blue']);
        } catch (PayspecException $error) {
            $told = [$error->getMessage(), $error->getCode()];
        }
        same(["policy error at /colour: {$error->detail}", -5], $told);
        $engine->close();
        $engine->close();
        same(['closed', ''], thrown(static fn () => $engine->accepts(BODY)));
        same(['closed', ''], thrown(static fn () => $engine->validateRequest(BODY)));
    },
    'every operation answers' => static function (): void {
        $engine = new Engine();
        $payment = $engine->call('create_payment', BODY, Engine::json(['uid' => UID, 'now' => NOW]))->member('body');
        $stored = json_decode($payment);
        $quote = ['currency' => 'RUB', 'rate' => '92.45', 'as_of' => NOW];
        same(200, $engine->readPayment(['uid' => UID, 'payment' => $stored])['status']);
        same(200, $engine->readBalance(['balance' => ['cur' => 'RUB']])['status']);
        same(true, $engine->checkPayment($payment, BODY)['valid']);
        same('RUB', $engine->fieldCurrencies($payment)['fields']['amount']);
        same(200, $engine->convert(['amount' => '1', 'currency' => 'RUB', 'quote' => $quote, 'now' => NOW])['status']);
        same(200, $engine->advancePayment(['payment' => $stored, 'to' => 'routed', 'at' => NOW])['status']);
        same('unchanged', $engine->checkTransition('idle', 'idle')['verdict']);
        $fingerprint = $engine->fingerprintRequest(BODY)['fingerprint'];
        $context = ['now' => NOW, 'fingerprint' => $fingerprint, 'existing' => null];
        same('new', $engine->checkIdempotency($context)['verdict']);
        same('abc', $engine->authorize('Bearer abc')['token']);
        same(401, $engine->authorize(null)['status']);
        same(true, isset($engine->upgradeRequest('pay_in', BODY)['changes']));
        same(true, isset($engine->upgradePayment($payment)['changes']));
        same(true, isset($engine->downgradePayment($payment)['changes']));
        same('{"security_code":"***"}', $engine->redact('{"security_code":"123"}'));
        same('visa', $engine->cardInfo('4111')['scheme']);
        same(8, count($engine->states()['states']));
        same(true, count($engine->rules()) * count($engine->decisions()) > 0);
        same(true, is_array($engine->openapi()));
        same(1, preg_match('/^\d+\.\d+\.\d+$/', Engine::version()));
    },
    'a member is as the library wrote it' => static function (): void {
        $info = '{"n":1.50e1,"big":12345678901234567890,"t":"\\\\\\"\u0041,}","e":{},"a":[]}';
        $stored = '{"uid":"' . UID . '","info":' . $info . '}';
        $answer = (new Engine())->call('read_payment', '{"uid":"' . UID . '","payment":' . $stored . '}');
        same($stored, $answer->member('body'));
        same('200', $answer->member('status'));
        same(null, $answer->member('uid'));
        same('{}', (new Answer(true, '{"a\"b":1,"c":{}}'))->member('c'));
    },
    'engines come and go' => static function (): void {
        for ($i = 0; $i < 1000; $i++) {
            same(true, (new Engine())->accepts(BODY));
        }
    },
];

[$passed, $failed] = [0, 0];
foreach ($tests as $name => $test) {
    try {
        $test();
        $passed++;
    } catch (Throwable $error) {
        $failed++;
        echo "$name: {$error->getMessage()} (line {$error->getLine()})\n";
    }
}
echo "tests: $passed passed, $failed failed\n";

function bytes(mixed $input): ?string
{
    return is_array($input) ? hex2bin($input['hex']) : $input;
}

/** What the C function returns and leaves in the buffer. */
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

[$right, $wrong] = [0, 0];
foreach (glob((getenv('PAYSPEC_VECTORS') ?: __DIR__ . '/../../../tests/vectors') . '/*/*.json') as $path) {
    $file = json_decode(file_get_contents($path), true, 512, JSON_THROW_ON_ERROR);
    foreach ($file['vectors'] as $vector) {
        if (called($file['operation'], $vector) === [$vector['returns'], $vector['answer'] ?? null]) {
            $right++;
        } else {
            $wrong++;
            echo "{$vector['name']}\n";
        }
    }
}
echo "vectors: $right passed, $wrong failed\n";
exit($failed + $wrong > 0 || $passed === 0 || $right === 0 ? 1 : 0);
