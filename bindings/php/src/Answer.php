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

    /** Returns the answer as arrays. */
    public function decode(): mixed
    {
        // The maximum of PHP: the policy limits the depth of bodies.
        $value = json_decode($this->json, true, 0x7fffffff, JSON_BIGINT_AS_STRING);
        // Not thrown by json_decode, because the trace of such an exception contains the text.
        return json_last_error() === JSON_ERROR_NONE
            ? $value
            : throw new \JsonException(json_last_error_msg(), json_last_error());
    }

    /**
     * Returns the unchanged JSON of a member: send `member('body')`. A body that is decoded and encoded again may have
     * other numbers and escapes, and `[]` for `{}`.
     */
    public function member(string $name): ?string
    {
        // `$at` is the index of the brace or comma before a name.
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

    /** Returns the end of the value that starts at `$at`: the index of the comma or bracket after it. */
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
