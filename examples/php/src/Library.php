<?php

declare(strict_types=1);

namespace Payspec;

/** libpayspec: found and opened, once for each process. */
final class Library
{
    private static ?\FFI $ffi = null;

    /**
     * The library is the one that the environment variable PAYSPEC_LIBRARY names, or the installed one; its
     * declarations are in the file that PAYSPEC_DECLARATIONS names, or in the one that was installed with it.
     */
    public static function get(): \FFI
    {
        return self::$ffi ??= self::open(getenv('PAYSPEC_LIBRARY') ?: 'libpayspec.so', self::declarations());
    }

    /** For programs that have both elsewhere. To be called before the first engine is made. */
    public static function open(string $library, string $declarations): \FFI
    {
        $text = @file_get_contents($declarations);
        if ($text === false) {
            throw new \RuntimeException("$declarations cannot be read: it is payspec.ffi.h of the library");
        }
        $ffi = \FFI::cdef($text, $library);
        if ($ffi->payspec_abi_version() !== $ffi->PAYSPEC_ABI_VERSION) {
            throw new \RuntimeException("$library is of another version than $declarations");
        }
        return self::$ffi = $ffi;
    }

    private static function declarations(): string
    {
        $library = getenv('PAYSPEC_LIBRARY') ?: '';
        $places = [
            getenv('PAYSPEC_DECLARATIONS') ?: null,
            // The system looks up a bare name, which does not contain the folder of the library.
            str_contains($library, '/') ? dirname($library) . '/../include/payspec.ffi.h' : null,
            __DIR__ . '/../payspec.ffi.h',
            '/usr/local/include/payspec.ffi.h',
            '/usr/include/payspec.ffi.h',
            __DIR__ . '/../../../include/payspec.ffi.h',
        ];
        foreach (array_filter($places) as $place) {
            if (is_file($place)) {
                return $place;
            }
        }
        throw new \RuntimeException('payspec.ffi.h was not found: set PAYSPEC_DECLARATIONS to its path');
    }
}
