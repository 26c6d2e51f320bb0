<?php

// The script for opcache.preload. PHP's default, ffi.enable=preload, allows FFI in preloaded files only:
//
//     opcache.preload=/path/to/vendor/payspec/payspec/preload.php
//     opcache.preload_user=www-data

declare(strict_types=1);

foreach (['Answer', 'Engine', 'Library', 'Outcome', 'PayspecException', 'Raw'] as $class) {
    require_once __DIR__ . "/src/$class.php";
}
