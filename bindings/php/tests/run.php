<?php

// The tests of the package, then the shared vectors: `php tests/run.php`.

declare(strict_types=1);

require_once __DIR__ . '/../src/autoload.php';

use Payspec\Answer;
use Payspec\Engine;
use Payspec\Outcome;
use Payspec\PayspecException;
use Payspec\Raw;

/** A card that expires in December 2030. */
const CARD = '{"payment_type":"pay_in","mode":"ACQUIRING","cur":"RUB","amount":"100.00","subtype":"bank_card","host2host":true,'
    . '"pay_in_details":{"card":{"card_holder":"IVAN PETROV","card_number":"4111111111111111","expiry_year":2030,"expiry_month":12,'
    . '"security_code":"123"}}}';
const BODY = '{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50",'
    . '"merchant_id":"shop-42","user_name":"Анна"}';
const UID = '0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11';
const NOW = '2026-11-20T10:15:30.250Z';
const CONTEXT = ['uid' => UID, 'now' => NOW, 'authorization' => 'checked_by_caller'];

/** The declarations that the tests use. */
define('DECLARATIONS', (new ReflectionMethod(Payspec\Library::class, 'declarations'))->invoke(null));

function same(mixed $expected, mixed $found): void
{
    if ($expected !== $found) {
        throw new AssertionError(var_export($found, true) . ' is not ' . var_export($expected, true));
    }
}

/** A policy for long and deep bodies. */
const WIDE = ['limits' => ['body_bytes' => 1 << 22, 'depth' => 2000]];

/** Runs the call while another process sends signals to this one: PHP runs the handler at any point that allows it. */
function disturbed(callable $handler, callable $call): void
{
    pcntl_async_signals(true);
    pcntl_signal(SIGUSR1, $handler);
    $parent = posix_getpid();
    $child = pcntl_fork();
    if ($child === 0) {
        while (posix_getppid() === $parent) {
            posix_kill($parent, SIGUSR1);
        }
        posix_kill(posix_getpid(), SIGKILL);
    }
    try {
        $call();
    } finally {
        posix_kill($child, SIGKILL);
        pcntl_waitpid($child, $status);
        pcntl_signal(SIGUSR1, SIG_IGN);
    }
}

/** Returns kind and path of the exception. */
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
    'validates a request' => static function (): void {
        $engine = new Engine();
        same(true, $engine->validateRequest(BODY)['valid']);
        same(true, $engine->validateRequest(BODY, new DateTimeImmutable())['valid']);
        same(true, $engine->accepts(BODY));
        same('/amount', $engine->validateRequest(str_replace('990.50', '990,50', BODY))['violations'][0]['path']);
    },
    'accepts expired cards only without a time' => static function (): void {
        $engine = new Engine();
        $years = [[null, true], ['2026-01-01T00:00:00Z', true], ['2031-02-01T00:00:00Z', false]];
        foreach ($years as [$text, $accepted]) {
            $now = $text === null ? null : new DateTimeImmutable($text);
            same($accepted, $engine->validateRequest(CARD, $now)['valid']);
            same([$accepted, $accepted], [$engine->accepts(CARD, $now), $engine->accepts(CARD, $text)]);
        }
        same(['context', '/now'], thrown(static fn () => $engine->accepts(CARD, 'today')));
    },
    'has a comment on each public method' => static function (): void {
        $missing = [];
        foreach (glob(__DIR__ . '/../src/[A-Z]*.php') as $file) {
            $class = new ReflectionClass('Payspec\\' . basename($file, '.php'));
            $missing[] = $class->getDocComment() ? null : $class->getName();
            foreach ($class->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
                $isOwn = $method->getFileName() === $class->getFileName() && !str_starts_with($method->getName(), '__');
                $missing[] = $isOwn && !$method->getDocComment() ? "{$method->class}::{$method->name}" : null;
            }
        }
        same([], array_values(array_filter($missing)));
    },
    'creates a payment' => static function (): void {
        $context = ['now' => new DateTimeImmutable(NOW), 'charges' => ['fee' => '1.50']] + CONTEXT;
        $outcome = (new Engine())->createPayment(BODY, $context);
        $payment = $outcome->decode();
        same([201, true, '992.00', NOW], [$outcome->status, $outcome->ok(), $payment['total'], $payment['created_date']]);
        same([null, null, []], [$outcome->record(NOW), $outcome->wwwAuthenticate, $outcome->warnings]);
    },
    'replays a stored record byte for byte' => static function (): void {
        $engine = new Engine();
        $key = $engine->idempotencyKey('"order-7"');
        same('order-7', $key);
        $context = ['idempotency' => ['key' => $key, 'existing' => null]] + CONTEXT;
        $first = $engine->createPayment(BODY, $context);
        $record = $first->record(new DateTimeImmutable(NOW));
        // Another program may have stored the payment in this form.
        $record = str_replace('"payment":{', '"payment":{ ', (string) $record);
        $context['idempotency']['existing'] = new Raw($record);
        $again = $engine->createPayment(BODY, ['uid' => '6fa459ea-ee8a-3ca4-894e-db77e160355e'] + $context);
        same([201, true, '{ ' . substr($first->body, 1)], [$again->status, $again->replayed, $again->body]);
        same(null, $again->record(NOW));
        $rejected = $engine->idempotencyKey("a\xff");
        same(400, $rejected instanceof Outcome ? $rejected->status : $rejected);
    },
    'takes an empty array as an object where one is expected' => static function (): void {
        $limits = ['amount' => [], 'time_to_complete_payment' => []];
        $engine = new Engine(['severity' => [], 'limits' => $limits, 'urls' => [], 'crypto' => [], 'idempotency' => []]);
        new Engine(['limits' => []]);
        new Engine(['limits' => ['amount' => ['RUB' => []]]]);
        new Engine(['required' => [], 'transitions' => [], 'currencies' => []]);
        same(201, $engine->createPayment(BODY, ['charges' => [], 'info' => []] + CONTEXT)->status);
        same(['context', '/quote/currency'], thrown(static fn () => $engine->createPayment(BODY, ['quote' => []] + CONTEXT)));
        $secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
        $verified = $engine->verifyWebhook(BODY, ['headers' => [], 'now' => NOW, 'secrets' => $secrets]);
        same('missing_header', $verified['reason']);
        same('{"payment":{"info":{},"receipts":[]}}', Engine::json(['payment' => ['info' => [], 'receipts' => []]]));
    },
    'takes named arguments' => static function (): void {
        $engine = new Engine();
        $context = Engine::json(CONTEXT);
        $expected = $engine->call('create_payment', BODY, $context)->json;
        same($expected, $engine->call('create_payment', context: $context, body: BODY)->json);
        same($expected, $engine->call(operation: 'create_payment', context: $context, body: BODY)->json);
        same(['argument', '/body'], thrown(static fn () => $engine->call('create_payment', context: $context)));
        same(['ArgumentCountError'], thrown(static fn () => $engine->call('create_payment', BODY, policy: $context)));
    },
    'reports each failure to load the library in one sentence' => static function (): void {
        $load = 'require $argv[1]; try { new Payspec\Engine(); } catch (Payspec\PayspecException $e) { echo $e->getMessage(); }';
        $failureOf = static function (string $autoload, array $variables, string ...$options) use ($load): string {
            $command = [PHP_BINARY, ...$options, '-r', $load, '--', $autoload];
            $process = proc_open($command, [1 => $output = tmpfile(), 2 => $output], $pipes, null, $variables + getenv());
            proc_close($process);
            return (string) file_get_contents(stream_get_meta_data($output)['uri']);
        };
        $failure = static fn (array $variables, string ...$options): string
            => $failureOf(__DIR__ . '/../src/autoload.php', $variables, ...$options);
        $disabled = 'libpayspec cannot be loaded: the setting ffi.enable forbids FFI here: set ffi.enable=true in php.ini, or '
            . 'ffi.enable=preload and opcache.preload=' . dirname(__DIR__) . '/preload.php';
        same($disabled, $failure([], '-d', 'ffi.enable=0'));
        same('', $failure([], '-d', 'ffi.enable=1'));
        // PHP prints the previous exception of an uncaught one before it.
        $command = [PHP_BINARY, '-d', 'ffi.enable=0', '-d', 'display_errors=1', '-d', 'log_errors=0', '-r',
            'require $argv[1]; new Payspec\Engine();', '--', __DIR__ . '/../src/autoload.php'];
        $process = proc_open($command, [1 => $output = tmpfile()], $pipes);
        proc_close($process);
        $uncaught = (string) file_get_contents(stream_get_meta_data($output)['uri']);
        same(true, str_contains($uncaught, "Uncaught Payspec\\PayspecException: $disabled in "));
        // A missing library is named, also if its declarations are missing.
        $hint = 'set PAYSPEC_LIBRARY to the path of libpayspec.so, such as $HOME/payspec/lib/libpayspec.so';
        $missing = "libpayspec cannot be loaded: /none/lib/libpayspec.so does not exist: $hint";
        foreach ([DECLARATIONS, ''] as $declarations) {
            $variables = ['PAYSPEC_LIBRARY' => '/none/lib/libpayspec.so', 'PAYSPEC_DECLARATIONS' => $declarations];
            same($missing, $failure($variables));
        }
        // The package without a library, on a system without one.
        $folder = sys_get_temp_dir() . '/payspec-' . bin2hex(random_bytes(8));
        mkdir("$folder/src", recursive: true);
        $names = array_map(basename(...), glob(__DIR__ . '/../src/*.php'));
        foreach ($names as $name) {
            $source = file_get_contents(__DIR__ . "/../src/$name");
            file_put_contents("$folder/src/$name", strtr($source, ["'libpayspec.so'" => "'libnone.so'", 'payspec.ffi.h' => 'none.h']));
        }
        try {
            $none = ['PAYSPEC_LIBRARY' => '', 'PAYSPEC_DECLARATIONS' => ''];
            $found = $failureOf("$folder/src/autoload.php", $none);
            same(true, str_starts_with($found, 'libpayspec cannot be loaded: libnone.so: '));
            same(true, str_contains($found, "; $hint. Searched: $folder/native/") && str_ends_with($found, ', libnone.so'));
            // A library without its declarations: the only case that names PAYSPEC_DECLARATIONS.
            $found = $failureOf("$folder/src/autoload.php", ['PAYSPEC_LIBRARY' => 'libc.so.6'] + $none);
            same(true, str_starts_with($found, 'libpayspec cannot be loaded: none.h was not found: set PAYSPEC_DECLARATIONS to its path. '));
        } finally {
            array_map(static fn (string $name) => unlink("$folder/src/$name"), $names);
            array_map(rmdir(...), ["$folder/src", $folder]);
        }
        // Another library, without the functions of this one.
        $other = $failure(['PAYSPEC_LIBRARY' => 'libc.so.6', 'PAYSPEC_DECLARATIONS' => DECLARATIONS]);
        same(true, str_starts_with($other, 'libpayspec cannot be loaded: libc.so.6: '));
        $file = tempnam(sys_get_temp_dir(), 'payspec-');
        file_put_contents($file, str_replace('PAYSPEC_ABI_VERSION = 1', 'PAYSPEC_ABI_VERSION = 999', file_get_contents(DECLARATIONS)));
        same(true, str_ends_with($failure(['PAYSPEC_DECLARATIONS' => $file]), "has the ABI 1, but $file declares the ABI 999"));
        unlink($file);
        $declarations = $failure(['PAYSPEC_DECLARATIONS' => '/none/payspec.ffi.h']);
        same('libpayspec cannot be loaded: /none/payspec.ffi.h cannot be read: it is payspec.ffi.h of the library', $declarations);
    },
    'runs under ffi.enable=preload, the default of servers' => static function (): void {
        $folder = sys_get_temp_dir() . '/payspec-' . bin2hex(random_bytes(8));
        mkdir($folder);
        $autoload = var_export(__DIR__ . '/../src/autoload.php', true);
        file_put_contents("$folder/index.php", "<?php require_once $autoload; try { echo (new Payspec\\Engine())->accepts('{}')"
            . " ? 'valid' : 'invalid'; } catch (Payspec\\PayspecException \$e) { echo \$e->kind; }");
        $named = getenv('PAYSPEC_LIBRARY') ?: '';
        $variables = ['PAYSPEC_DECLARATIONS' => DECLARATIONS] + ($named === '' ? [] : ['PAYSPEC_LIBRARY' => $named]);
        $respond = static function (string ...$options) use ($folder, $variables): string {
            // A port of the system.
            $free = stream_socket_server('tcp://127.0.0.1:0');
            $address = stream_socket_get_name($free, false);
            fclose($free);
            $command = [PHP_BINARY, '-d', 'ffi.enable=preload', ...$options, '-S', $address, '-t', $folder];
            $log = tmpfile();
            $process = proc_open($command, [1 => $log, 2 => $log], $pipes, null, $variables + getenv());
            try {
                for ($tries = 0; $tries < 200; $tries++) {
                    usleep(50_000);
                    $text = @file_get_contents("http://$address/");
                    if ($text !== false) {
                        return $text;
                    }
                }
                return 'no answer: ' . file_get_contents(stream_get_meta_data($log)['uri']);
            } finally {
                proc_terminate($process);
                proc_close($process);
            }
        };
        try {
            same('library', $respond());
            $preload = realpath(__DIR__ . '/../preload.php');
            $user = posix_getuid() === 0 ? ['-d', 'opcache.preload_user=root'] : [];
            same('invalid', $respond('-d', 'opcache.enable=1', '-d', "opcache.preload=$preload", ...$user));
        } finally {
            unlink("$folder/index.php");
            rmdir($folder);
        }
    },
    'answers any input of a client' => static function (): void {
        $engine = new Engine();
        foreach (['', "\xff", "\0", '[]', str_repeat('{', 100_000), str_repeat(' ', 100_000)] as $body) {
            same(false, $engine->validateRequest($body)['valid']);
            same(false, $engine->accepts($body));
            same(false, $engine->call('create_payment', $body, Engine::json(CONTEXT))->accepted);
        }
    },
    'names the library of each platform' => static function (): void {
        $folder = (new ReflectionMethod(Payspec\Library::class, 'folder'))->invoke(...);
        $name = (new ReflectionMethod(Payspec\Library::class, 'name'))->invoke(...);
        foreach ([
            ['Linux', 'x86_64', true, 'x86_64-musl/libpayspec.so'],
            ['Linux', 'aarch64', false, 'aarch64-glibc/libpayspec.so'],
            ['Darwin', 'x86_64', false, 'x86_64-macos/libpayspec.dylib'],
            ['Darwin', 'arm64', false, 'aarch64-macos/libpayspec.dylib'],
            ['Windows', 'AMD64', false, 'x86_64-windows/payspec.dll'],
            ['Windows', 'ARM64', false, 'aarch64-windows/payspec.dll'],
        ] as [$family, $machine, $isMusl, $expected]) {
            same($expected, $folder(null, $family, $machine, $isMusl) . '/' . $name(null, $family));
        }
    },
    'finds the declarations beside the library' => static function (): void {
        $found = (new ReflectionMethod(Payspec\Library::class, 'declarations'))->invoke(...);
        [$folder, $library, $declarations] = [getcwd(), getenv('PAYSPEC_LIBRARY'), getenv('PAYSPEC_DECLARATIONS')];
        $prefix = sys_get_temp_dir() . '/payspec-' . bin2hex(random_bytes(8));
        mkdir("$prefix/include", recursive: true);
        touch("$prefix/include/payspec.ffi.h");
        mkdir("$prefix/lib");
        try {
            putenv('PAYSPEC_DECLARATIONS');
            putenv("PAYSPEC_LIBRARY=$prefix/lib/libpayspec.so");
            same("$prefix/lib/../include/payspec.ffi.h", $found(null));
            // The system finds a bare name, but not below the current folder.
            chdir($prefix);
            putenv('PAYSPEC_LIBRARY=libpayspec.so');
            try {
                same(false, str_starts_with($found(null), '.'));
            } catch (PayspecException) {
                // None is installed.
            }
            putenv("PAYSPEC_DECLARATIONS=$prefix/include/payspec.ffi.h");
            same("$prefix/include/payspec.ffi.h", $found(null));
        } finally {
            chdir($folder);
            putenv($library === false ? 'PAYSPEC_LIBRARY' : "PAYSPEC_LIBRARY=$library");
            putenv($declarations === false ? 'PAYSPEC_DECLARATIONS' : "PAYSPEC_DECLARATIONS=$declarations");
            unlink("$prefix/include/payspec.ffi.h");
            array_map(rmdir(...), ["$prefix/include", "$prefix/lib", $prefix]);
        }
    },
    'throws caller errors' => static function (): void {
        $engine = new Engine();
        same(['policy', '/colour'], thrown(static fn () => new Engine(['colour' => 'blue'])));
        same(['policy', ''], thrown(static fn () => new Engine('')));
        same(['context', '/uid'], thrown(static fn () => $engine->createPayment(BODY, ['uid' => '7', 'now' => NOW])));
        same(['context', '/uid'], thrown(static fn () => $engine->createPayment(BODY, [])));
        same(['argument', '/context'], thrown(static fn () => $engine->call('create_payment', BODY)));
        same(['utf8', '/uid'], thrown(static fn () => $engine->createPayment(BODY, ['uid' => "\xff"])));
        same(['utf8', '/a~1b/0'], thrown(static fn () => new Engine(['a/b' => (object) ["\xff"]])));
        same(['context', ''], thrown(static fn () => $engine->convert(['amount' => NAN])));
        same(['ValueError'], thrown(static fn () => $engine->call('validateRequest', BODY)));
        same(['ArgumentCountError'], thrown(static fn () => $engine->call('states', BODY)));
        same(['Error'], thrown(static fn () => clone $engine));
        same(['Exception'], thrown(static fn () => serialize($engine)));
        $found = null;
        try {
            new Engine(['colour' => 'blue']);
        } catch (PayspecException $error) {
            $found = [$error->getMessage(), $error->getCode()];
        }
        same(["policy error at /colour: {$error->detail}", -5], $found);
        $engine->close();
        $engine->close();
        same(['closed', ''], thrown(static fn () => $engine->accepts(BODY)));
        same(['closed', ''], thrown(static fn () => $engine->validateRequest(BODY)));
    },
    'runs every operation' => static function (): void {
        $engine = new Engine();
        $payment = $engine->call('create_payment', BODY, Engine::json(CONTEXT))->member('body');
        $stored = json_decode($payment);
        $quote = ['currency' => 'RUB', 'rate' => '92.45', 'as_of' => NOW];
        $checked = ['authorization' => 'checked_by_caller'];
        same(200, $engine->readPayment(['uid' => UID, 'payment' => $stored] + $checked)->status);
        same($payment, $engine->readPayment(['uid' => UID, 'payment' => new Raw($payment)] + $checked)->body);
        same(404, $engine->readPayment(['uid' => "a\xff", 'payment' => null] + $checked)->status);
        same(200, $engine->readBalance(['balance' => ['cur' => 'RUB']] + $checked)->status);
        same(true, $engine->checkPayment($payment, BODY)['valid']);
        same('RUB', $engine->fieldCurrencies($payment)['fields']['amount']);
        same(200, $engine->convert(['amount' => '1', 'currency' => 'RUB', 'quote' => $quote, 'now' => NOW])->status);
        same(200, $engine->advancePayment(['payment' => $stored, 'to' => 'routed', 'at' => NOW])->status);
        same('unchanged', $engine->checkTransition('idle', 'idle')['verdict']);
        $comparison = $engine->comparePolicies(['before' => ['currencies' => ['RUB']]]);
        same(['wider', '/currencies'], [$comparison['relation'], $comparison['differences'][0]['path']]);
        same(true, $engine->accepts($comparison['differences'][0]['witness']['body']));
        $fingerprint = $engine->fingerprintRequest(BODY)['fingerprint'];
        $context = ['now' => NOW, 'fingerprint' => $fingerprint, 'existing' => null];
        same('new', $engine->checkIdempotency($context)['verdict']);
        same('abc', $engine->authorize('Bearer abc'));
        $rejected = $engine->authorize(null);
        same([401, 'Bearer'], $rejected instanceof Outcome ? [$rejected->status, $rejected->wwwAuthenticate] : []);
        same(true, isset($engine->upgradeRequest('pay_in', BODY)['changes']));
        same(true, isset($engine->downgradeRequest(BODY)['changes']));
        same(['cur' => 'RUB'], $engine->upgradeBalance('{"currency":"RUB"}')['body']);
        same(['currency' => 'RUB'], $engine->downgradeBalance('{"cur":"RUB"}')['body']);
        same(true, isset($engine->upgradePayment($payment)['changes']));
        same(true, isset($engine->downgradePayment($payment)['changes']));
        same('{"security_code":"***"}', $engine->redact('{"security_code":"123"}'));
        same('visa', $engine->cardInfo('4111')['scheme']);
        same(8, count($engine->states()['states']));
        same(true, count($engine->rules()) * count($engine->decisions()) > 0);
        same(true, is_array($engine->openapi()));
        same(1, preg_match('/^\d+\.\d+\.\d+$/', Engine::version()));
    },
    'returns the unchanged JSON of a member' => static function (): void {
        $info = '{"n":1.50e1,"big":12345678901234567890,"t":"\\\\\\"\u0041,}","e":{},"a":[]}';
        $stored = '{"uid":"' . UID . '","info":' . $info . '}';
        $answer = (new Engine())->call('read_payment', '{"uid":"' . UID . '","authorization":"checked_by_caller","payment":' . $stored . '}');
        same($stored, $answer->member('body'));
        same('200', $answer->member('status'));
        same(null, $answer->member('uid'));
        same('{}', (new Answer(true, '{"a\"b":1,"c":{}}'))->member('c'));
    },
    'omits arguments from exceptions' => static function (): void {
        if (PHP_VERSION_ID < 80200) {
            return;
        }
        ini_set('zend.exception_ignore_args', '0');
        ini_set('zend.exception_string_param_max_len', '1000');
        $engine = new Engine();
        $closed = new Engine();
        $closed->close();
        $calls = [
            static fn () => $engine->createPayment('{"n":"PLANTED"}', ['uid' => 'PLANTED', 'now' => NOW]),
            static fn () => $engine->createPayment('PLANTED', '{"uid":"PLANTED"}'),
            static fn () => $engine->createPayment('PLANTED', ['authorization' => 'PLANTED', 'rate' => INF]),
            static fn () => $engine->createPayment('PLANTED', ['uid' => "PLANTED\xff"]),
            static fn () => $engine->createPayment('PLANTED', ['authorization' => 'PLANTED', "\xff" => 1]),
            static fn () => $engine->createPayment(['PLANTED'], []),
            static fn () => $engine->call('states', 'PLANTED'),
            static fn () => $closed->cardInfo('PLANTED'),
            static fn () => $closed->authorize('PLANTED'),
            static fn () => $closed->accepts('PLANTED'),
            static fn () => $closed->batch('redact', ['PLANTED'], 'PLANTED'),
            static fn () => $engine->batch('redact', [['PLANTED']]),
            static fn () => new Engine(['fingerprint_key' => 'PLANTED']),
            static fn () => new Engine('{"fingerprint_key":"PLANTED"}'),
            static fn () => (new Answer(true, '{"token":"PLANTED"'))->decode(),
        ];
        foreach ($calls as $number => $call) {
            try {
                $call();
            } catch (Throwable $error) {
                $text = print_r($error, true) . var_export($error, true) . $error . print_r($error->getTrace(), true);
                same([$number, false], [$number, str_contains($text, 'PLANTED')]);
                continue;
            }
            same('an exception', "none of $number");
        }
    },
    'frees the memory of an invalid policy' => static function (): void {
        $policy = [str_repeat('colour', 5000) => 'blue'];
        $grown = static function (int $times) use ($policy): int {
            $before = (int) @file_get_contents('/proc/self/statm');
            for ($i = 0; $i < $times; $i++) {
                same('policy', thrown(static fn () => new Engine($policy))[0]);
            }
            return (int) @file_get_contents('/proc/self/statm') - $before;
        };
        $grown(100);
        // In pages: a buffer for each would be over 20000.
        same(true, $grown(3000) < 2000);
    },
    'returns the answers of nested calls' => static function (): void {
        if (!function_exists('pcntl_fork') || !function_exists('posix_kill')) {
            return;
        }
        $engine = new Engine();
        $expected = $engine->cardInfo('4111');
        $runs = 0;
        disturbed(static function () use ($engine, &$runs): void {
            $runs++;
            $engine->cardInfo('34');
        }, static function () use ($engine, $expected, &$runs): void {
            for ($i = 0; $i < 5000 || $runs < 1000 && $i < 200_000; $i++) {
                same($expected, $engine->cardInfo('4111'));
            }
        });
    },
    'answers or throws during a close' => static function (): void {
        if (!function_exists('pcntl_fork') || !function_exists('posix_kill')) {
            return;
        }
        $engine = new Engine();
        $expected = $engine->call('card_info', '4111')->json;
        disturbed(static function () use (&$engine): void {
            $engine->close();
        }, static function () use (&$engine, $expected): void {
            for ($i = 0; $i < 5000; $i++) {
                $engine = new Engine();
                try {
                    same($expected, $engine->call('card_info', '4111')->json);
                    same(true, $engine->accepts(BODY));
                } catch (PayspecException $error) {
                    same('closed', $error->kind);
                }
            }
        });
    },
    "does not change the variables of the caller" => static function (): void {
        $now = new DateTimeImmutable(NOW);
        $header = "Bearer \xff";
        $inner = (object) ['as_of' => $now];
        $context = ['now' => &$now, 'authorization' => ['header' => &$header], 'quote' => $inner, 'list' => [[], 1.0]];
        $text = Engine::json($context);
        $time = '"2026-11-20T10:15:30.250000+00:00"';
        $rest = "\"authorization\":{\"header\":\"Bearer \u{fffd}\"},\"quote\":{\"as_of\":$time},\"list\":[[],1.0]";
        same("{\"now\":$time,$rest}", $text);
        same([true, "Bearer \xff"], [$now instanceof DateTimeImmutable, $header]);
        same($now, $inner->as_of);
        $endless = [];
        $endless['self'] = &$endless;
        same(['context', ''], thrown(static fn () => Engine::json($endless)));
    },
    'answers text that is not UTF-8' => static function (): void {
        $engine = new Engine();
        $context = ['uid' => UID, 'now' => NOW];
        $header = ['authorization' => ['header' => "Bearer \xff", 'accepted' => true]];
        $key = ['idempotency' => (object) ['key' => "a\xff", 'existing' => null]];
        same(401, $engine->createPayment(BODY, $context + $header)->status);
        same(401, $engine->readBalance(['balance' => ['cur' => 'RUB']] + $header)->status);
        same(400, $engine->createPayment(BODY, CONTEXT + $key)->status);
        $key = ['key' => "a\xff", 'now' => NOW, 'fingerprint' => 'ab', 'existing' => null];
        same('invalid_key', $engine->checkIdempotency($key)['verdict']);
        same(true, $engine->authorize("Bearer \xff") instanceof Outcome);
        foreach (['merchant_id', 'url', 'refusal'] as $name) {
            $given = $context + [$name => "a\xff"];
            same(['utf8', "/$name"], thrown(static fn () => $engine->createPayment(BODY, $given)));
        }
    },
    'limits the depth by the policy only' => static function (): void {
        $info = [];
        for ($i = 0; $i < 1000; $i++) {
            $info = [$info];
        }
        $context = ['uid' => UID, 'payment' => ['uid' => UID, 'info' => $info]];
        $engine = new Engine(WIDE);
        $body = '{"uid":"' . UID . '","extra":' . json_encode($info, 0, 2000) . '}';
        same($info, $engine->upgradePayment($body)['body']['extra']);
        same(str_repeat('[', 1001) . str_repeat(']', 1001), substr(Engine::json($context), -2004, 2002));
    },
    'returns the same answers in a batch' => static function (): void {
        $engine = new Engine();
        $bodies = [BODY, '', '{', "\xff"];
        foreach ([null, NOW] as $now) {
            $single = array_map(static fn ($body) => $engine->call('validate_request', $body, $now)->json, $bodies);
            same($single, array_map(static fn ($answer) => $answer->json, $engine->batch('validate_request', $bodies, $now)));
        }
        same([201, 422], array_map(
            static fn ($answer) => $answer->decode()['status'],
            $engine->batch('create_payment', [BODY, '{}'], CONTEXT),
        ));
        same([], $engine->batch('redact', []));
        same(['argument', '/operation'], thrown(static fn () => $engine->batch('convert', ['{}'])));
        same(['argument', '/context'], thrown(static fn () => $engine->batch('create_payment', ['{}'])));
        same(['context', '/uid'], thrown(static fn () => $engine->batch('create_payment', [], [])));
        $engine->close();
        same(['closed', ''], thrown(static fn () => $engine->batch('redact', [])));
    },
    'creates and frees many engines' => static function (): void {
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
if ($failed > 0 || $passed === 0) {
    exit(1);
}
require __DIR__ . '/vectors.php';
