<?php

declare(strict_types=1);

namespace Payspec;

/** Finds and opens libpayspec once for each process. */
final class Library
{
    private static ?\FFI $ffi = null;

    /**
     * Opens the library at the path in the environment variable PAYSPEC_LIBRARY, or the installed one. The path of its
     * declarations is in PAYSPEC_DECLARATIONS, or they are the file that was installed with it.
     */
    public static function get(): \FFI
    {
        return self::$ffi ??= self::open(getenv('PAYSPEC_LIBRARY') ?: 'libpayspec.so', self::declarations());
    }

    /** Opens the library at another path. Call this before creating the first engine. */
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
        $paths = [
            getenv('PAYSPEC_DECLARATIONS') ?: null,
            // The system looks up a bare name, which does not contain the folder of the library.
            str_contains($library, '/') ? dirname($library) . '/../include/payspec.ffi.h' : null,
            __DIR__ . '/../payspec.ffi.h',
            '/usr/local/include/payspec.ffi.h',
            '/usr/include/payspec.ffi.h',
            __DIR__ . '/../../../include/payspec.ffi.h',
        ];
        foreach (array_filter($paths) as $path) {
            if (is_file($path)) {
                return $path;
            }
        }
        throw new \RuntimeException('payspec.ffi.h was not found: set PAYSPEC_DECLARATIONS to its path');
    }
}
