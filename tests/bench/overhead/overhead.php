<?php

// Prints nanoseconds for a verdict and for a report as bytes. native.c does the same in C.

declare(strict_types=1);

require 'vendor/autoload.php';

const BODY = '{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}';
const CALLS = 100_000;

function best(callable $run): int
{
    $least = PHP_INT_MAX;
    for ($round = 0; $round < 5; $round++) {
        $start = hrtime(true);
        for ($i = 0; $i < CALLS; $i++) {
            $run();
        }
        $least = min($least, intdiv(hrtime(true) - $start, CALLS));
    }
    return $least;
}

$engine = new Payspec\Engine();
$verdict = best(static fn () => $engine->accepts(BODY));
$report = best(static fn () => $engine->call('validate_request', BODY)->json);
echo "$verdict $report\n";
