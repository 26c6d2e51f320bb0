<?php

declare(strict_types=1);

namespace Payspec;

/**
 * An engine is created from a policy. Input of a client never causes an exception: the answer is a report, or an Outcome
 * with the status and the body to send. A PayspecException is a caller error.
 *
 * A context is an array, or its JSON. In an array, DateTimes are timestamps, a Raw is unchanged JSON, and an empty array is
 * an object where the library expects one.
 *
 * @phpstan-type Violation array{path: string, code: string, severity: 'error'|'warning', message: string, source: string,
 *     params?: array<string, mixed>}
 * @phpstan-type Report array{valid: bool, variant: 'pay_in'|'pay_out'|null, mode: 'P2P'|'ACQUIRING'|'CRYPTO'|null,
 *     host2host: bool, violations: list<Violation>, truncated?: bool}
 * @phpstan-type Timestamp \DateTimeInterface|string
 * @phpstan-type Authorization array{header: ?string, accepted: bool}|'checked_by_caller'
 * @phpstan-type Record array{created_at: Timestamp, fingerprint: string, payment: array<string, mixed>|\stdClass|Raw|null}
 * @phpstan-type Quote array{currency: string, rate: string, as_of: Timestamp}
 * @phpstan-type CreateContext array{uid: string, now: Timestamp, authorization: Authorization, url?: string, form?: string,
 *     merchant_id?: string, allowed_merchant_ids?: list<string>,
 *     idempotency?: array{key: string, existing: Record|Raw|\stdClass|null}, quote?: Quote|\stdClass,
 *     charges?: array{fee?: string, commission?: string, shared_commission?: string}, info?: array<string, mixed>,
 *     refusal?: string}
 * @phpstan-type ReadContext array{uid: string, payment: array<string, mixed>|\stdClass|Raw|null, authorization: Authorization}
 * @phpstan-type BalanceContext array{balance: array<string, mixed>|\stdClass|Raw, authorization: Authorization}
 * @phpstan-type ConvertContext array{amount: string, currency: string, quote?: Quote, now?: Timestamp}
 * @phpstan-type AdvanceContext array{payment: array<string, mixed>|\stdClass|Raw, to: string, at: Timestamp,
 *     paid_amount?: string, amount?: string, fail_by?: string, fail_code?: string, receipts?: list<string>}
 * @phpstan-type KeyContext array{now: Timestamp, fingerprint?: string, existing?: Record|Raw|\stdClass|null, key?: string}
 * @phpstan-type Migrated array{body: array<string, mixed>, changes: list<array<string, mixed>>,
 *     unresolved: list<array<string, mixed>>, idempotency_key?: string}|Report
 */
final class Engine
{
    private \FFI $ffi;
    private ?\FFI\CData $engine = null;

    /** @param array<string, mixed>|string|null $policy the default policy if it is null */
    public function __construct(#[\SensitiveParameter] array|string|null $policy = null)
    {
        $this->ffi = Library::get();
        $text = $policy === null ? null : self::json($policy);
        $engine = $this->ffi->new('payspec_engine *');
        $buffer = $this->ffi->new('payspec_buf');
        [$handle, $error, $length] = [\FFI::addr($engine), \FFI::addr($buffer), strlen($text ?? '')];
        // Freed here: PHP does not run the destructor of an object whose constructor throws.
        try {
            $status = $this->ffi->payspec_engine_new($text, $length, $handle, $error);
            if ($status < 0) {
                throw PayspecException::fromJson(\FFI::string($buffer->data, $buffer->len), $status);
            }
        } finally {
            $this->ffi->payspec_buf_free($error);
        }
        $this->engine = $engine;
    }

    public function __destruct()
    {
        $this->close();
    }

    /** Frees the engine before the object. Later calls throw. It may be called twice. */
    public function close(): void
    {
        // Cleared first, so that a signal handler that also calls `close` does not free it again.
        [$engine, $this->engine] = [$this->engine, null];
        if ($engine !== null) {
            $this->ffi->payspec_engine_free($engine);
        }
    }

    private function __clone()
    {
    }

    /** Returns the version of the library. */
    public static function version(): string
    {
        return Library::get()->payspec_version();
    }

    /**
     * Runs an operation by its name (`create_payment`) and returns the answer unchanged. The inputs are those of the
     * C function, in order or by name: `call('create_payment', context: $context, body: $body)`. An optional input may be
     * null or omitted.
     */
    public function call(string $operation, #[\SensitiveParameter] ?string ...$inputs): Answer
    {
        $names = self::INPUTS[$operation] ?? throw new \ValueError("there is no operation $operation");
        $count = count($names);
        if (count($inputs) > $count) {
            throw new \ArgumentCountError("$operation takes $count inputs");
        }
        $given = array_fill_keys($names, null);
        foreach ($inputs as $name => $text) {
            $name = is_int($name) ? $names[$name] : $name;
            if (!array_key_exists($name, $given)) {
                throw new \ArgumentCountError("$operation has no input $name: expected " . implode(', ', $names));
            }
            $given[$name] = $text;
        }
        $arguments = [];
        foreach ($given as $text) {
            array_push($arguments, $text, strlen($text ?? ''));
        }
        $function = "payspec_$operation";
        // A buffer for this call: a signal handler or destructor may call the same engine before the answer is read.
        $buffer = $this->ffi->new('payspec_buf');
        $out = \FFI::addr($buffer);
        try {
            // PHP runs signal handlers after functions, and a handler may close the engine: call no function in between.
            $engine = $this->engine ?? throw self::closed();
            $status = $this->ffi->$function($engine, ...$arguments, ...[$out]);
            $json = \FFI::string($buffer->data, $buffer->len);
        } finally {
            $this->ffi->payspec_buf_free($out);
        }
        return $status < 0 ? throw PayspecException::fromJson($json, $status) : new Answer($status === 0, $json);
    }

    /**
     * Runs an operation whose first input is a body, such as `validate_request`, with each of the bodies, and returns the
     * answers in their order. The bodies share the second input, which is parsed once; if it is invalid, no body is read.
     *
     * @param list<string> $bodies
     * @return list<Answer>
     */
    public function batch(
        string $operation,
        #[\SensitiveParameter] array $bodies,
        #[\SensitiveParameter] array|string|null $context = null,
    ): array {
        $shared = $context === null ? null : self::json($context);
        $count = count($bodies);
        $offsets = $this->ffi->new('int64_t[' . ($count + 1) . ']');
        $ends = $this->ffi->new('int64_t[' . ($count + 1) . ']');
        // PHP cannot create an empty array.
        $returns = $this->ffi->new('int8_t[' . max($count, 1) . ']');
        $end = 0;
        foreach (array_values($bodies) as $index => $body) {
            $end += is_string($body) ? strlen($body) : throw new \TypeError('a body is a string');
            $offsets[$index + 1] = $end;
        }
        $data = implode('', $bodies);
        $buffer = $this->ffi->new('payspec_buf');
        $out = \FFI::addr($buffer);
        $sizes = [strlen($operation), strlen($shared ?? '')];
        try {
            // As in `call`: no function between this check and the call.
            $engine = $this->engine ?? throw self::closed();
            $status = $this->ffi->payspec_batch(
                $engine, $operation, $sizes[0], $data, $offsets, $count, $shared, $sizes[1], $returns, $out, $ends,
            );
            $json = \FFI::string($buffer->data, $buffer->len);
        } finally {
            $this->ffi->payspec_buf_free($out);
        }
        if ($status < 0) {
            throw PayspecException::fromJson($json, $status);
        }
        $answers = [];
        for ($index = 0; $index < $count; $index++) {
            $answer = substr($json, $ends[$index], $ends[$index + 1] - $ends[$index]);
            // Negative only if the library panicked.
            $answers[] = $returns[$index] < 0
                ? throw PayspecException::fromJson($answer, $returns[$index])
                : new Answer($returns[$index] === 0, $answer);
        }
        return $answers;
    }

    /** Returns only the verdict of validateRequest, which is faster. Expired cards are rejected if `$now` is given. */
    public function accepts(
        #[\SensitiveParameter] string $body,
        #[\SensitiveParameter] \DateTimeInterface|string|null $now = null,
    ): bool {
        $timestamp = $now === null ? null : self::timestamp($now);
        [$length, $size] = [strlen($body), strlen($timestamp ?? '')];
        // As in `call`: no function between this check and the call.
        $engine = $this->engine ?? throw self::closed();
        $status = $this->ffi->payspec_validate_request($engine, $body, $length, $timestamp, $size, null);
        return $status >= 0 ? $status === 0 : $this->call('validate_request', $body, $timestamp)->accepted;
    }

    /**
     * Validates a creation request. Expired cards are detected if `$now` is given.
     *
     * @return Report
     */
    public function validateRequest(
        #[\SensitiveParameter] string $body,
        #[\SensitiveParameter] \DateTimeInterface|string|null $now = null,
    ): array {
        return $this->call('validate_request', $body, $now === null ? null : self::timestamp($now))->decode();
    }

    /**
     * Returns the exact response to POST /v1/payments/new.
     *
     * @param CreateContext|string $context
     */
    public function createPayment(
        #[\SensitiveParameter] string $body,
        #[\SensitiveParameter] array|string $context,
    ): Outcome {
        return Outcome::of($this->call('create_payment', $body, self::json($context)));
    }

    /**
     * Returns the exact response to GET /v1/payments/{uid}/status.
     *
     * @param ReadContext|string $context
     */
    public function readPayment(#[\SensitiveParameter] array|string $context): Outcome
    {
        if (is_array($context) && is_string($context['uid'] ?? null)) {
            // The text of a path may not be UTF-8. No UUID contains U+FFFD: the library answers 404.
            $context['uid'] = json_decode(json_encode($context['uid'], JSON_INVALID_UTF8_SUBSTITUTE));
        }
        return Outcome::of($this->call('read_payment', self::json($context)));
    }

    /**
     * Returns the exact response to GET /v1/partner/balance.
     *
     * @param BalanceContext|string $context
     */
    public function readBalance(#[\SensitiveParameter] array|string $context): Outcome
    {
        return Outcome::of($this->call('read_balance', self::json($context)));
    }

    /**
     * Reports if it is a valid Payment, and if it matches that request.
     *
     * @return Report
     */
    public function checkPayment(
        #[\SensitiveParameter] string $body,
        #[\SensitiveParameter] ?string $request = null,
    ): array {
        return $this->call('check_payment', $body, $request)->decode();
    }

    /**
     * Returns the currency of each amount of a Payment; a report if the body is not JSON.
     *
     * @return array{crypto: bool, fields: array<string, string>}|Report
     */
    public function fieldCurrencies(#[\SensitiveParameter] string $body): array
    {
        return $this->call('field_currencies', $body)->decode();
    }

    /**
     * Converts a fiat amount to USDT.
     *
     * @param ConvertContext|string $context
     */
    public function convert(#[\SensitiveParameter] array|string $context): Outcome
    {
        return Outcome::of($this->call('convert', self::json($context)));
    }

    /**
     * Applies a transition to a stored Payment, or returns a 409 outcome.
     *
     * @param AdvanceContext|string $context
     */
    public function advancePayment(#[\SensitiveParameter] array|string $context): Outcome
    {
        return Outcome::of($this->call('advance_payment', self::json($context)));
    }

    /**
     * Returns the verdict on a transition between two states.
     *
     * @return array{verdict: 'allowed'|'refused'|'unspecified'|'unchanged', reason: string, source: string}
     */
    public function checkTransition(#[\SensitiveParameter] string $from, #[\SensitiveParameter] string $to): array
    {
        return $this->call('check_transition', self::json(['from' => $from, 'to' => $to]))->decode();
    }

    /**
     * Compares the requests that two policies accept. A policy that is missing is the default one.
     *
     * @param array{before?: array<string, mixed>|null, after?: array<string, mixed>|null}|string $context
     * @return array{relation: 'equal'|'wider'|'narrower'|'incomparable', differences: list<array{path: string,
     *     change: 'wider'|'narrower'|'other', witness?: array{body: string, now?: string}}>}
     */
    public function comparePolicies(#[\SensitiveParameter] array|string $context): array
    {
        return $this->call('compare_policies', self::json($context))->decode();
    }

    /**
     * Returns the table of states.
     *
     * @return array{states: list<array<string, mixed>>}
     */
    public function states(): array
    {
        return $this->call('states')->decode();
    }

    /**
     * Returns the verdict on a repeated idempotency key.
     *
     * @param KeyContext|string $context
     * @return array{verdict: 'new'|'replay'|'conflict'|'mismatch'|'in_progress'|'invalid_key', status: int, age_ms: ?int}
     */
    public function checkIdempotency(#[\SensitiveParameter] array|string $context): array
    {
        return $this->call('check_idempotency', self::json($context))->decode();
    }

    /** Returns the key of an Idempotency-Key header, null without the header, or the 400 outcome. */
    public function idempotencyKey(#[\SensitiveParameter] ?string $header = null): string|Outcome|null
    {
        $answer = $this->call('idempotency_key', $header);
        return $answer->accepted ? $answer->decode()['key'] : Outcome::of($answer);
    }

    /**
     * Signs a webhook, and returns the headers to send with it.
     *
     * @param array{id: string, timestamp: Timestamp, secrets: list<string>}|string $context
     * @return array{headers: array<string, string>}
     */
    public function signWebhook(#[\SensitiveParameter] string $body, #[\SensitiveParameter] array|string $context): array
    {
        return $this->call('sign_webhook', $body, self::json($context))->decode();
    }

    /**
     * Verifies the signature and the time of a received webhook.
     *
     * @param array{headers: array<string, string>, secrets: list<string>, now: Timestamp, tolerance_s?: int}|string $context
     * @return array{verified: bool, reason?: 'missing_header'|'malformed_header'|'timestamp'|'signature'}
     */
    public function verifyWebhook(#[\SensitiveParameter] string $body, #[\SensitiveParameter] array|string $context): array
    {
        return $this->call('verify_webhook', $body, self::json($context))->decode();
    }

    /**
     * Returns the same value for the same request in any spelling; a report if the body is not JSON.
     *
     * @return array{fingerprint: string}|Report
     */
    public function fingerprintRequest(#[\SensitiveParameter] string $body): array
    {
        return $this->call('fingerprint_request', $body)->decode();
    }

    /** Returns the token of an Authorization header, or the 401 outcome. */
    public function authorize(#[\SensitiveParameter] ?string $header): string|Outcome
    {
        $answer = $this->call('authorize', $header);
        return $answer->accepted ? $answer->decode()['token'] : Outcome::of($answer);
    }

    /**
     * Migrates a request of the legacy API. The kind is pay_in or pay_out.
     *
     * @return Migrated
     */
    public function upgradeRequest(#[\SensitiveParameter] string $kind, #[\SensitiveParameter] string $body): array
    {
        return $this->call('upgrade_request', $kind, $body)->decode();
    }

    /**
     * Migrates a request to the legacy API.
     *
     * @return Migrated
     */
    public function downgradeRequest(#[\SensitiveParameter] string $body): array
    {
        return $this->call('downgrade_request', $body)->decode();
    }

    /**
     * Migrates a balance of the legacy API.
     *
     * @return Migrated
     */
    public function upgradeBalance(#[\SensitiveParameter] string $body): array
    {
        return $this->call('upgrade_balance', $body)->decode();
    }

    /**
     * Migrates a balance to the legacy API.
     *
     * @return Migrated
     */
    public function downgradeBalance(#[\SensitiveParameter] string $body): array
    {
        return $this->call('downgrade_balance', $body)->decode();
    }

    /**
     * Migrates a Payment of the legacy API.
     *
     * @return Migrated
     */
    public function upgradePayment(#[\SensitiveParameter] string $body): array
    {
        return $this->call('upgrade_payment', $body)->decode();
    }

    /**
     * Migrates a Payment to the legacy API.
     *
     * @return Migrated
     */
    public function downgradePayment(#[\SensitiveParameter] string $body): array
    {
        return $this->call('downgrade_payment', $body)->decode();
    }

    /** Returns the body as JSON, safe to log. A body that is not JSON is replaced by its report, also safe. */
    public function redact(#[\SensitiveParameter] string $body): string
    {
        return $this->call('redact', $body)->json;
    }

    /** Returns a text, such as a line of a log, safe to log. */
    public function redactText(#[\SensitiveParameter] string $text): string
    {
        return $this->call('redact_text', $text)->json;
    }

    /**
     * Returns the byte range, line, and column of the value at a JSON Pointer, or `found` false.
     *
     * @return array{start: int, end: int, line: int, column: int, name: array{start: int, end: int}|null}|array{found: false}
     */
    public function locate(#[\SensitiveParameter] string $body, string $pointer): array
    {
        return $this->call('locate', $body, $pointer)->decode();
    }

    /**
     * Returns the scheme and format of a card number, also while it is typed.
     *
     * @return array{scheme: ?string, lengths: list<int>, gaps: list<int>, code: array{name: string, length: int}|null,
     *     possible: bool, valid: bool, masked: string}
     */
    public function cardInfo(#[\SensitiveParameter] string $digits): array
    {
        return $this->call('card_info', $digits)->decode();
    }

    /**
     * Returns the catalog of violation codes.
     *
     * @return array<string, mixed>
     */
    public function rules(): array
    {
        return $this->call('rules')->decode();
    }

    /**
     * Returns the decisions on questions that the specification leaves open.
     *
     * @return array<string, mixed>
     */
    public function decisions(): array
    {
        return $this->call('decisions')->decode();
    }

    /**
     * Returns an OpenAPI 3.1 document of the interface.
     *
     * @return array<string, mixed>
     */
    public function openapi(): array
    {
        return $this->call('openapi')->decode();
    }

    /** Returns a timestamp in the form of contexts. A text is returned unchanged. */
    public static function timestamp(#[\SensitiveParameter] \DateTimeInterface|string $timestamp): string
    {
        return is_string($timestamp) ? $timestamp : $timestamp->format('Y-m-d\TH:i:s.uP');
    }

    /**
     * Returns a context as JSON, for `call`. It may contain DateTimes and Raw.
     *
     * @param array<string, mixed>|string $context
     */
    public static function json(#[\SensitiveParameter] array|string $context): string
    {
        if (is_string($context)) {
            return $context;
        }
        [$path, $raw] = [[], []];
        $json = json_encode((object) self::plain($context, $path, $raw), self::FLAGS, self::DEPTH);
        // Not thrown by json_encode, because the trace of such an exception contains the value.
        return match (json_last_error()) {
            JSON_ERROR_NONE => strtr((string) $json, $raw),
            JSON_ERROR_UTF8 => throw self::notUtf8(''),
            default => throw new PayspecException('context', '', json_last_error_msg(), self::CONTEXT),
        };
    }

    /** The paths of objects in contexts and policies. Elsewhere, an empty array is a list. */
    private const OBJECTS = '~^(authorization|balance|charges|crypto|existing|headers|idempotency|idempotency/existing|info'
        . '|limits|limits/amount|limits/amount/[^/]*|limits/time_to_complete_payment|quote|severity|urls'
        . '|((idempotency/)?existing/)?payment(/info)?)$~D';

    /** Members of a context with a text of a client, which may not be UTF-8. */
    private const WIRE = ['/authorization/header', '/idempotency/key', '/key'];

    /**
     * Returns a copy: arrays may contain references, and the variables of the caller must not change.
     *
     * @param list<int|string> $path the path of the value
     * @param array<string, string> $raw the JSON of each Raw, by the string that stands for it
     */
    private static function plain(#[\SensitiveParameter] mixed $value, array &$path, array &$raw): mixed
    {
        if ($value instanceof Raw) {
            // Random, so that no text of a client is equal to it.
            $placeholder = bin2hex(random_bytes(16));
            $raw["\"$placeholder\""] = $value->json;
            return $placeholder;
        }
        if ($value === [] && preg_match(self::OBJECTS, implode('/', $path)) === 1) {
            return new \stdClass();
        }
        if (is_string($value) && preg_match('//u', $value) === false) {
            $pointer = implode(array_map(static fn ($name) => '/' . strtr("$name", ['~' => '~0', '/' => '~1']), $path));
            // No token and no key contains U+FFFD: the library answers 401 or 400. The other texts are the caller's.
            return in_array($pointer, self::WIRE, true)
                ? json_decode(json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE))
                : throw self::notUtf8($pointer);
        }
        if ($value instanceof \DateTimeInterface) {
            return self::timestamp($value);
        }
        if ($value instanceof \stdClass) {
            return (object) (array) self::plain((array) $value, $path, $raw);
        }
        if (!is_array($value)) {
            return $value;
        }
        if (count($path) > self::MOST_LEVELS) {
            throw new PayspecException('context', '', 'expected a value that does not contain itself', self::CONTEXT);
        }
        $copy = [];
        foreach ($value as $name => $member) {
            $path[] = $name;
            $copy[$name] = self::plain($member, $path, $raw);
            array_pop($path);
        }
        return $copy;
    }

    /** Preserves the spelling of values as far as possible. */
    private const FLAGS = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS
        | JSON_PRESERVE_ZERO_FRACTION;

    /** The maximum of PHP: the policy limits the depth of bodies. */
    private const DEPTH = 0x7fffffff;

    /** A deeper value contains itself. */
    private const MOST_LEVELS = 4096;

    /** Numbers of payspec.h. */
    private const UTF8 = -2;
    private const CONTEXT = -4;

    /** The inputs of each operation, in order. */
    private const INPUTS = [
        'validate_request' => ['body', 'now'],
        'create_payment' => ['body', 'context'],
        'read_payment' => ['context'],
        'read_balance' => ['context'],
        'check_payment' => ['body', 'request'],
        'field_currencies' => ['body'],
        'convert' => ['context'],
        'advance_payment' => ['context'],
        'check_transition' => ['context'],
        'states' => [],
        'check_idempotency' => ['context'],
        'idempotency_key' => ['header'],
        'fingerprint_request' => ['body'],
        'authorize' => ['header'],
        'upgrade_request' => ['kind', 'body'],
        'downgrade_request' => ['body'],
        'upgrade_balance' => ['body'],
        'downgrade_balance' => ['body'],
        'upgrade_payment' => ['body'],
        'downgrade_payment' => ['body'],
        'redact' => ['body'],
        'redact_text' => ['text'],
        'sign_webhook' => ['body', 'context'],
        'verify_webhook' => ['body', 'context'],
        'locate' => ['body', 'pointer'],
        'card_info' => ['digits'],
        'compare_policies' => ['context'],
        'rules' => [],
        'decisions' => [],
        'openapi' => [],
    ];

    private static function closed(): PayspecException
    {
        return new PayspecException('closed', '', 'the engine is closed', 0);
    }

    private static function notUtf8(string $path): PayspecException
    {
        return new PayspecException('utf8', $path, 'expected UTF-8', self::UTF8);
    }
}
