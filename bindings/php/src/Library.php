<?php

declare(strict_types=1);

namespace Payspec;

/** Finds and opens libpayspec once for each process. */
final class Library
{
    private static ?\FFI $ffi = null;

    /**
     * Opens the library at the path in the environment variable PAYSPEC_LIBRARY, or the one of this package, or the
     * installed one. The path of its declarations is in PAYSPEC_DECLARATIONS, or they are the file beside it.
     *
     * @throws PayspecException with the kind "library", and a message that names what was searched
     */
    public static function get(): \FFI
    {
        return self::$ffi ??= self::open(self::path(), self::declarations());
    }

    /**
     * Opens the library at another path. Call this before creating the first engine.
     *
     * @throws PayspecException with the kind "library"
     */
    public static function open(string $library, string $declarations): \FFI
    {
        $text = @file_get_contents($declarations);
        if ($text === false) {
            throw self::failure("$declarations cannot be read: it is payspec.ffi.h of the library");
        }
        return self::$ffi = self::load($text, $library, $declarations);
    }

    private static function load(string $text, string $library, string $declarations): \FFI
    {
        self::requireFfi();
        try {
            $ffi = \FFI::cdef($text, $library);
            // Methods and constants of the library, which its declarations define.
            $found = $ffi->payspec_abi_version();
            $expected = $ffi->PAYSPEC_ABI_VERSION;
        } catch (\FFI\Exception $error) {
            throw self::explained($error, $library);
        }
        if ($found !== $expected) {
            throw self::failure("$library has the ABI $found, but $declarations declares the ABI $expected");
        }
        return $ffi;
    }

    private static function requireFfi(): void
    {
        if (!class_exists(\FFI::class)) {
            throw self::failure('PHP has no FFI: install the extension and set extension=ffi');
        }
    }

    /** Returns the exception for a library that FFI does not open. It has no previous one, which PHP would print first. */
    private static function explained(\FFI\Exception $error, string $library): PayspecException
    {
        if (str_contains($error->getMessage(), 'ffi.enable')) {
            $preload = dirname(__DIR__) . '/preload.php';
            return self::failure("the setting ffi.enable forbids FFI here: set ffi.enable=true in php.ini, or"
                . " ffi.enable=preload and opcache.preload=$preload");
        }
        $hint = match (PHP_OS_FAMILY) {
            'Darwin' => 'to the path of libpayspec.dylib, such as $HOME/payspec/lib/libpayspec.dylib',
            'Windows' => 'to the path of payspec.dll, such as C:\payspec\bin\payspec.dll',
            default => 'to the path of libpayspec.so, such as $HOME/payspec/lib/libpayspec.so',
        };
        return self::isPath($library) && !is_file($library)
            ? self::failure("$library does not exist: set PAYSPEC_LIBRARY $hint")
            : self::failure("$library: {$error->getMessage()}; set PAYSPEC_LIBRARY $hint. Searched: "
                . implode(', ', self::searched()));
    }

    /** Returns the path of the library, or its bare name, which the linker of the system looks up. */
    private static function path(): string
    {
        foreach (self::searched() as $path) {
            if (!self::isPath($path) || is_file($path) || $path === getenv('PAYSPEC_LIBRARY')) {
                return $path;
            }
        }
        throw new \LogicException('the last path is a bare name');
    }

    /** @return non-empty-list<string> */
    private static function searched(): array
    {
        $named = getenv('PAYSPEC_LIBRARY');
        return $named !== false && $named !== '' ? [$named] : [self::bundled(), self::name(PHP_OS_FAMILY)];
    }

    /** Returns true for a path; the system looks up a bare name. */
    private static function isPath(string $library): bool
    {
        return str_contains($library, '/') || str_contains($library, DIRECTORY_SEPARATOR);
    }

    /** Returns the path of the library in this package for the platform. */
    private static function bundled(): string
    {
        $isMusl = PHP_OS_FAMILY === 'Linux' && str_contains((string) @file_get_contents('/proc/self/maps'), 'ld-musl');
        $folder = self::folder(PHP_OS_FAMILY, php_uname('m'), $isMusl);
        return dirname(__DIR__) . "/native/$folder/" . self::name(PHP_OS_FAMILY);
    }

    /** Returns the folder of a platform: its processor with its C library or system. */
    private static function folder(string $family, string $machine, bool $isMusl): string
    {
        $processor = strtr(strtolower($machine), ['amd64' => 'x86_64', 'arm64' => 'aarch64']);
        $system = match ($family) {
            'Darwin' => 'macos',
            'Windows' => 'windows',
            default => $isMusl ? 'musl' : 'glibc',
        };
        return "$processor-$system";
    }

    /** Returns the name of the library on a system. */
    private static function name(string $family): string
    {
        return match ($family) {
            'Darwin' => 'libpayspec.dylib',
            'Windows' => 'payspec.dll',
            default => 'libpayspec.so',
        };
    }

    private static function declarations(): string
    {
        $named = getenv('PAYSPEC_DECLARATIONS');
        if ($named !== false && $named !== '') {
            return $named;
        }
        $library = getenv('PAYSPEC_LIBRARY') ?: '';
        $paths = [
            // The system looks up a bare name, which does not contain the folder of the library.
            ...self::isPath($library) ? [dirname($library) . '/../include/payspec.ffi.h'] : [],
            dirname(__DIR__) . '/native/payspec.ffi.h',
            '/usr/local/include/payspec.ffi.h',
            '/usr/include/payspec.ffi.h',
        ];
        foreach ($paths as $path) {
            if (is_file($path)) {
                return $path;
            }
        }
        // Without a library, this is what is missing.
        self::requireFfi();
        $library = self::path();
        try {
            \FFI::cdef('', $library);
        } catch (\FFI\Exception $error) {
            throw self::explained($error, $library);
        }
        throw self::failure('payspec.ffi.h was not found: set PAYSPEC_DECLARATIONS to its path. Searched: ' . implode(', ', $paths));
    }

    private static function failure(string $detail): PayspecException
    {
        return new PayspecException('library', '', $detail, 0);
    }
}
