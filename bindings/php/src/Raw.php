<?php

declare(strict_types=1);

namespace Payspec;

/**
 * JSON in a context that is not changed: a stored payment, or a record. A payment that is decoded and encoded again may
 * have other numbers and escapes.
 */
final class Raw
{
    public function __construct(#[\SensitiveParameter] public readonly string $json)
    {
    }
}
