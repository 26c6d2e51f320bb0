<?php

declare(strict_types=1);

namespace Payspec;

/** The unchanged answer of a call. */
final class Answer
{
    public function __construct(
        /** The body is valid, the status 2xx, the transition possible, … */
        public readonly bool $accepted,
        /** The answer's JSON. */
        #[\SensitiveParameter] public readonly string $json,
    ) {
    }

    /** The answer as arrays. */
    public function decode(): mixed
    {
        // The deepest that PHP takes: how deep a body may be is for the policy to say.
        $value = json_decode($this->json, true, 0x7fffffff, JSON_BIGINT_AS_STRING);
        // Not thrown by json_decode: such an exception has the text in its trace.
        return json_last_error() === JSON_ERROR_NONE
            ? $value
            : throw new \JsonException(json_last_error_msg(), json_last_error());
    }

    /**
     * A member as it is written: `member('body')` is what to send. Decoded and encoded again, a body may come out with
     * other numbers, escapes and `[]` for `{}`.
     */
    public function member(string $name): ?string
    {
        // `$at` is the brace or comma before a name.
        for ($at = 0; ($this->json[$at + 1] ?? '') === '"'; $at = $end) {
            $value = self::pastString($this->json, $at + 1) + 1;
            $end = self::pastValue($this->json, $value);
            if (substr($this->json, $at + 2, $value - $at - 4) === $name) {
                return substr($this->json, $value, $end - $value);
            }
        }
        return null;
    }

    private static function pastString(#[\SensitiveParameter] string $json, int $at): int
    {
        for ($at++; $json[$at] !== '"'; $at++) {
            $at += strcspn($json, '"\\', $at);
            if ($json[$at] === '"') {
                break;
            }
            $at++;
        }
        return $at + 1;
    }

    /** Where the value that starts at `$at` ends: the comma or bracket behind it. */
    private static function pastValue(#[\SensitiveParameter] string $json, int $at): int
    {
        for ($depth = 0; ; $at++) {
            $at += strcspn($json, '{}[]",', $at);
            switch ($json[$at] ?? '') {
                case '"':
                    $at = self::pastString($json, $at) - 1;
                    break;
                case '{':
                case '[':
                    $depth++;
                    break;
                case ',':
                    if ($depth === 0) {
                        return $at;
                    }
                    break;
                default:
                    if ($depth-- === 0) {
                        return $at;
                    }
            }
        }
    }
}
