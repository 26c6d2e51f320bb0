<?php

declare(strict_types=1);

namespace Payspec;

/**
 * The error of every call: a caller error, for which there is no response for the client, or a library that cannot be
 * loaded. It contains a path, never a value.
 */
final class PayspecException extends \RuntimeException
{
    /**
     * @param string $kind argument, utf8, panic, context, policy, closed for an engine that is closed, library for
     *     one that cannot be loaded
     * @param string $path the JSON Pointer (RFC 6901) of the invalid member; empty for the whole input
     * @param string $detail the expected value in words; the message also contains kind and path
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $path,
        public readonly string $detail,
        int $number,
    ) {
        $place = $kind === 'library' ? 'libpayspec cannot be loaded' : "$kind error at " . ($path === '' ? 'the input' : $path);
        parent::__construct("$place: $detail", $number);
    }

    /** Reads the error text in the buffer of the library. */
    public static function fromJson(#[\SensitiveParameter] string $json, int $number): self
    {
        $error = json_decode($json, true, 8, JSON_THROW_ON_ERROR)['error'];
        return new self($error['code'], $error['path'], $error['message'], $number);
    }
}
