<?php

declare(strict_types=1);

namespace Payspec;

/**
 * The response to send: a status and the exact bytes of a Payment or a problem (RFC 9457).
 *
 * @phpstan-import-type Violation from Engine
 */
final class Outcome
{
    /** @param list<Violation> $warnings */
    private function __construct(
        /** Send it as the status of the response. */
        public readonly int $status,
        /** Send it byte for byte. */
        #[\SensitiveParameter] public readonly string $body,
        /** The value of the header WWW-Authenticate, which a 401 has. */
        public readonly ?string $wwwAuthenticate,
        /** The body is the stored payment of a repeated request. */
        public readonly bool $replayed,
        /** The fingerprint of the request, if the context has an idempotency key. */
        public readonly ?string $fingerprint,
        /** For the log, not for the client. */
        public readonly array $warnings,
    ) {
    }

    /** Reads the answer of an operation whose answer is an outcome. */
    public static function of(Answer $answer): self
    {
        $member = static function (string $name) use ($answer): mixed {
            $json = $answer->member($name);
            return $json === null ? null : json_decode($json, true);
        };
        return new self(
            (int) $member('status'),
            $answer->member('body') ?? '',
            $member('www_authenticate'),
            $member('replayed') ?? false,
            $member('fingerprint'),
            $member('warnings') ?? [],
        );
    }

    /** Returns true if the status is 2xx. */
    public function ok(): bool
    {
        return intdiv($this->status, 100) === 2;
    }

    /**
     * Returns the body as an array: a Payment, a balance, or a problem with title, code, detail, and perhaps violations.
     *
     * @return array<string, mixed>
     */
    public function decode(): array
    {
        return (new Answer($this->ok(), $this->body))->decode();
    }

    /**
     * Returns the record to store under the key of the request, as JSON. Pass it as `existing` with the next request that
     * has this key. Only a new payment that was created with an idempotency key has one.
     *
     * @param \DateTimeInterface|string $now that of the context
     */
    public function record(\DateTimeInterface|string $now): ?string
    {
        if (!$this->ok() || $this->replayed || $this->fingerprint === null) {
            return null;
        }
        // Not encoded again: a replay returns the stored payment byte for byte.
        $head = json_encode(['created_at' => Engine::timestamp($now), 'fingerprint' => $this->fingerprint]);
        return substr((string) $head, 0, -1) . ',"payment":' . $this->body . '}';
    }
}
