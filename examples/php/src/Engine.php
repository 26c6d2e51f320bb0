<?php

declare(strict_types=1);

namespace Payspec;

/**
 * An engine made of a policy. What a client sends is never an exception: it is a report, or an outcome with the status
 * to answer. A PayspecException means that the program itself called with something broken.
 *
 * A context is an array, or its JSON. Every method but `call` and `accepts` gives the answer as an array.
 */
final class Engine
{
    private \FFI $ffi;
    private ?\FFI\CData $engine;
    private \FFI\CData $buffer;

    /** @param array<string, mixed>|string|null $policy the default one where it is null */
    public function __construct(array|string|null $policy = null)
    {
        $this->ffi = Library::get();
        $this->buffer = $this->ffi->new('payspec_buf');
        $this->engine = $this->ffi->new('payspec_engine *');
        $text = $policy === null ? null : self::json($policy);
        $status = $this->ffi->payspec_engine_new(
            $text,
            strlen($text ?? ''),
            \FFI::addr($this->engine),
            \FFI::addr($this->buffer),
        );
        $this->checked($status);
    }

    public function __destruct()
    {
        $this->close();
    }

    /** Frees the engine now, and not with the object. Later calls throw; closing twice is fine. */
    public function close(): void
    {
        if (isset($this->engine)) {
            $this->ffi->payspec_engine_free($this->engine);
            $this->engine = null;
        }
        if (isset($this->buffer)) {
            $this->ffi->payspec_buf_free(\FFI::addr($this->buffer));
        }
    }

    private function __clone()
    {
    }

    /** The version of the library. */
    public static function version(): string
    {
        return Library::get()->payspec_version();
    }

    /**
     * Calls an operation by its name (`create_payment`) and gives the answer as it stands. The inputs are those of the
     * C function, in order; an optional one may be null or left out.
     */
    public function call(string $operation, ?string ...$inputs): Answer
    {
        $count = self::INPUTS[$operation] ?? throw new \ValueError("there is no operation $operation");
        if (count($inputs) > $count) {
            throw new \ArgumentCountError("$operation takes $count inputs");
        }
        $arguments = [];
        foreach (array_pad($inputs, $count, null) as $text) {
            array_push($arguments, $text, strlen($text ?? ''));
        }
        $buffer = \FFI::addr($this->buffer);
        $status = $this->ffi->{"payspec_$operation"}($this->handle(), ...$arguments, ...[$buffer]);
        return new Answer($this->checked($status) === 0, \FFI::string($this->buffer->data, $this->buffer->len));
    }

    /** The verdict of validateRequest alone, without a report: the fastest call. */
    public function accepts(string $body): bool
    {
        $status = $this->ffi->payspec_validate_request($this->handle(), $body, strlen($body), null, 0, null);
        return $status >= 0 ? $status === 0 : $this->call('validate_request', $body)->accepted;
    }

    /** Everything that is wrong with a creation request. With `$now`, cards may have expired. */
    public function validateRequest(string $body, \DateTimeInterface|string|null $now = null): array
    {
        return $this->call('validate_request', $body, $now === null ? null : self::instant($now))->decode();
    }

    /** The exact answer to POST /v1/payments/new. To send its body byte for byte, take `call` and `Answer::member`. */
    public function createPayment(string $body, array|string $context): array
    {
        return $this->call('create_payment', $body, self::json($context))->decode();
    }

    /** The exact answer to GET /v1/payments/{uid}/status. */
    public function readPayment(array|string $context): array
    {
        return $this->call('read_payment', self::json($context))->decode();
    }

    /** The exact answer to GET /v1/partner/balance. */
    public function readBalance(array|string $context): array
    {
        return $this->call('read_balance', self::json($context))->decode();
    }

    /** Whether it is a sound Payment, and whether it answers that request. */
    public function checkPayment(string $body, ?string $request = null): array
    {
        return $this->call('check_payment', $body, $request)->decode();
    }

    /** Which amount of a Payment is in which currency; a report where the body is no JSON. */
    public function fieldCurrencies(string $body): array
    {
        return $this->call('field_currencies', $body)->decode();
    }

    /** A fiat amount in USDT. */
    public function convert(array|string $context): array
    {
        return $this->call('convert', self::json($context))->decode();
    }

    /** A stored Payment in another state, or 409. */
    public function advancePayment(array|string $context): array
    {
        return $this->call('advance_payment', self::json($context))->decode();
    }

    /** Whether a step from one state to another is possible. */
    public function checkTransition(string $from, string $to): array
    {
        return $this->call('check_transition', self::json(['from' => $from, 'to' => $to]))->decode();
    }

    /** The table of states. */
    public function states(): array
    {
        return $this->call('states')->decode();
    }

    /** What a repeated idempotency key means. */
    public function checkIdempotency(array|string $context): array
    {
        return $this->call('check_idempotency', self::json($context))->decode();
    }

    /** The same for the same request, however it is written; a report where the body is no JSON. */
    public function fingerprintRequest(string $body): array
    {
        return $this->call('fingerprint_request', $body)->decode();
    }

    /** The token of an Authorization header, or the 401 to answer. */
    public function authorize(?string $header): array
    {
        return $this->call('authorize', $header)->decode();
    }

    /** A request of the earlier interface carried over. The kind is pay_in or pay_out. */
    public function upgradeRequest(string $kind, string $body): array
    {
        return $this->call('upgrade_request', $kind, $body)->decode();
    }

    /** A Payment of the earlier interface carried over. */
    public function upgradePayment(string $body): array
    {
        return $this->call('upgrade_payment', $body)->decode();
    }

    /** A Payment for a client of the earlier interface. */
    public function downgradePayment(string $body): array
    {
        return $this->call('downgrade_payment', $body)->decode();
    }

    /** The body, safe to log: JSON, not an array. What is no JSON becomes the report that says so, also safe. */
    public function redact(string $body): string
    {
        return $this->call('redact', $body)->json;
    }

    /** What the digits typed so far say of a card. */
    public function cardInfo(string $digits): array
    {
        return $this->call('card_info', $digits)->decode();
    }

    /** The catalogue of violation codes. */
    public function rules(): array
    {
        return $this->call('rules')->decode();
    }

    /** What the specification leaves open, and what the library does there. */
    public function decisions(): array
    {
        return $this->call('decisions')->decode();
    }

    /** An OpenAPI 3.1 document of the interface. */
    public function openapi(): array
    {
        return $this->call('openapi')->decode();
    }

    /** An instant as contexts want it; a text is taken as it is. */
    public static function instant(\DateTimeInterface|string $instant): string
    {
        return is_string($instant) ? $instant : $instant->format('Y-m-d\TH:i:s.uP');
    }

    /**
     * A context as JSON, for `call`. DateTimes may stand in it as they are.
     *
     * @param array<string, mixed>|string $context
     */
    public static function json(array|string $context): string
    {
        if (is_string($context)) {
            return $context;
        }
        array_walk_recursive($context, static function (mixed &$value): void {
            $value = $value instanceof \DateTimeInterface ? self::instant($value) : $value;
        });
        return json_encode((object) $context, self::FLAGS);
    }

    /** Nothing is written otherwise than it was read, where that can be. */
    private const FLAGS = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
        | JSON_UNESCAPED_LINE_TERMINATORS | JSON_PRESERVE_ZERO_FRACTION;

    /** The operations, and how many inputs each takes. */
    private const INPUTS = [
        'validate_request' => 2,
        'create_payment' => 2,
        'read_payment' => 1,
        'read_balance' => 1,
        'check_payment' => 2,
        'field_currencies' => 1,
        'convert' => 1,
        'advance_payment' => 1,
        'check_transition' => 1,
        'states' => 0,
        'check_idempotency' => 1,
        'fingerprint_request' => 1,
        'authorize' => 1,
        'upgrade_request' => 2,
        'upgrade_payment' => 1,
        'downgrade_payment' => 1,
        'redact' => 1,
        'card_info' => 1,
        'rules' => 0,
        'decisions' => 0,
        'openapi' => 0,
    ];

    private function handle(): \FFI\CData
    {
        return $this->engine ?? throw new PayspecException('closed', '', 'the engine is closed', 0);
    }

    private function checked(int $status): int
    {
        if ($status < 0) {
            throw PayspecException::fromJson(\FFI::string($this->buffer->data, $this->buffer->len), $status);
        }
        return $status;
    }
}
