<?php

// Evaluates patterns with PCRE. Reads {"patterns", "texts"}, and prints for each pattern which texts it accepts.

$given = json_decode(stream_get_contents(STDIN), true, 16, JSON_THROW_ON_ERROR);
$accepts = [];
foreach ($given['patterns'] as $pattern) {
    // With `D`, `$` is only the end of the text, as in JSON Schema.
    $match = fn (string $text) => preg_match("\x01$pattern\x01uD", $text);
    $results = array_map($match, $given['texts']);
    if (in_array(false, $results, true)) {
        fwrite(STDERR, "$pattern: " . preg_last_error_msg() . "\n");
        exit(1);
    }
    $accepts[] = array_map(fn (int $count) => $count === 1, $results);
}
echo json_encode($accepts);
