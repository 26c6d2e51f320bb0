<?php

declare(strict_types=1);

namespace Payspec;

/** The program's own input is at fault: nothing is to be sent to a client. It names a place, never a value. */
final class PayspecException extends \RuntimeException
{
    /**
     * @param string $kind null, utf8, panic, context, policy, or closed for an engine that is closed
     * @param string $path the JSON Pointer (RFC 6901) of the member at fault; empty for the input as a whole
     * @param string $detail what was expected there; the message has kind and path as well
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $path,
        public readonly string $detail,
        int $number,
    ) {
        parent::__construct("$kind error at " . ($path === '' ? 'the input' : $path) . ": $detail", $number);
    }

    /** Of the text that the library leaves in the buffer. */
    public static function fromJson(#[\SensitiveParameter] string $json, int $number): self
    {
        $error = json_decode($json, true, 8, JSON_THROW_ON_ERROR)['error'];
        return new self($error['code'], $error['path'], $error['message'], $number);
    }
}
