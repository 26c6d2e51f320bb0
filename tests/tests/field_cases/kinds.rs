//! For each kind of the cases, what shows that the library is right for the whole kind, and not only
//! for the inputs of the cases.

use super::{cases, text};
use Evidence::{Fuzz, Generator, Test, Vectors};
use payspec_tests::{root, test_names, vector};
use std::collections::{BTreeSet, HashSet};

/// What shows that the library is right for a kind.
#[derive(Clone, Copy, Debug)]
enum Evidence {
    /// A test in Rust of a property, or of all values, by its name.
    Test(&'static str),
    /// A fuzz target.
    Fuzz(&'static str),
    /// A generator of texts or bodies, which a second model reads: file in `tests/model`, function.
    Generator(&'static str, &'static str),
    /// A file of vectors, which every binding runs, in `tests/vectors`.
    Vectors(&'static str),
}

const KINDS: [(&str, &[Evidence]); 18] = [
    (
        "names inside JSON strings",
        &[
            Test("redaction_hides_secrets_in_every_escape"),
            Generator("generator/texts.py", "escaped"),
            Generator("corpus/servers.py", "docker"),
        ],
    ),
    (
        "escapes around names and values",
        &[
            Test("redaction_hides_secrets_in_every_escape"),
            Test("decodes_every_spelling_of_a_quote"),
            Generator("generator/texts.py", "escaped"),
        ],
    ),
    (
        "wrappers around values",
        &[
            Test("skips_what_languages_print"),
            Generator("generator/texts.py", "quoted"),
            Generator("corpus/structures.py", "rust"),
            Generator("corpus/structures.py", "java"),
            Generator("corpus/structures.py", "php"),
        ],
    ),
    (
        "markup",
        &[
            Test("skips_markup_in_elements"),
            Generator("generator/texts.py", "markup"),
            Generator("corpus/servers.py", "soap"),
            Generator("corpus/servers.py", "har"),
        ],
    ),
    (
        "color escapes",
        &[
            Test("redaction_hides_secrets_in_every_escape"),
            Test("decodes_every_spelling_of_a_color"),
            Generator("generator/texts.py", "named"),
        ],
    ),
    (
        "scripts without spaces",
        &[
            Test("numbers_touch_no_letter"),
            Fuzz("card_data"),
            Generator("generator/texts.py", "joined"),
        ],
    ),
    (
        "digits that are not ASCII",
        &[
            Test("knows_the_digits_of_four_scripts"),
            Generator("generator/numbers.py", "in_script"),
        ],
    ),
    (
        "track data",
        &[
            Test("finds_the_discretionary_data"),
            Generator("generator/numbers.py", "track"),
        ],
    ),
    (
        "separators",
        &[
            Test("groups_have_the_same_separator"),
            Generator("generator/numbers.py", "grouped"),
        ],
    ),
    (
        "numbers that are no card numbers",
        &[
            Test("masks_only_card_numbers_in_log_lines"),
            Generator("generator/numbers.py", "other"),
            Generator("corpus/events.py", "event"),
        ],
    ),
    (
        "names of security codes",
        &[
            Test("compares_names_without_case_and_separators"),
            Test("recognizes_security_codes_as_words"),
            Generator("generator/texts.py", "name"),
        ],
    ),
    (
        "info of payments",
        &[
            Test("all_operations_find_the_same_card_numbers_in_a_text"),
            Test("operations_find_card_numbers_in_every_escape"),
            Vectors("create_payment/reported_info_of_payments.json"),
        ],
    ),
    (
        "withdrawn currencies",
        &[
            Test("only_stored_payments_may_have_a_withdrawn_currency"),
            Test("finds_every_code_and_its_date"),
            Generator("generator/values.py", "cur"),
        ],
    ),
    (
        "card schemes",
        &[
            Test("returns_the_scheme_of_every_six_digits"),
            Test("equals_the_published_ranges"),
            Generator("generator/cards.py", "number"),
        ],
    ),
    (
        "private hosts by name",
        &[
            Test("finds_private_names"),
            Generator("generator/uris.py", "host"),
        ],
    ),
    (
        "webhook headers and secrets",
        &[
            Fuzz("webhooks"),
            Test("counts_every_value_of_a_header"),
            Test("signs_with_each_kind_of_key"),
        ],
    ),
    (
        "idempotency keys and fingerprints",
        &[
            Fuzz("webhooks"),
            Test("random_requests_have_the_canonical_form_of_all"),
            Vectors("fingerprint_request/absent_members.json"),
        ],
    ),
    (
        "grammar of values",
        &[
            Test("reads_integers_by_value"),
            Generator("generator/values.py", "number"),
            Generator("generator/values.py", "phone_number"),
        ],
    ),
];

/// Checks if the test, target, function, or file exists.
fn exists(evidence: Evidence, tests: &HashSet<String>) -> bool {
    match evidence {
        Test(name) => tests.contains(name),
        Fuzz(target) => {
            let path = format!("tests/fuzz/libfuzzer/fuzz_targets/{target}.rs");
            root().join(path).is_file()
        }
        Generator(file, function) => {
            let text = std::fs::read_to_string(root().join("tests/model").join(file));
            text.is_ok_and(|text| text.contains(&format!("def {function}(")))
        }
        Vectors(file) => vector::folder().join(file).is_file(),
    }
}

/// Returns the names of all tests of the library.
fn tests() -> HashSet<String> {
    let folders = ["core/src", "tests"].map(|folder| root().join(folder));
    let names = folders.map(|folder| test_names::below(&folder).expect("a folder"));
    names.into_iter().flatten().collect()
}

#[test]
fn each_kind_has_evidence_that_exists() {
    let cases = cases();
    let kinds: BTreeSet<&str> = cases.iter().map(|case| text(case, "kind")).collect();
    let rows: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(rows.iter().copied().collect::<BTreeSet<_>>(), kinds);
    assert_eq!(rows.len(), kinds.len(), "a kind has two rows");
    let tests = tests();
    for (kind, evidence) in KINDS {
        let is_general = |evidence: &Evidence| !matches!(evidence, Vectors(_));
        assert!(evidence.iter().any(is_general), "{kind}: only vectors");
        for evidence in evidence {
            assert!(exists(*evidence, &tests), "{kind}: no {evidence:?}");
        }
    }
}

#[test]
fn evidence_that_was_renamed_is_missing() {
    let tests = HashSet::from(["a_test".to_owned()]);
    assert!(exists(Test("a_test"), &tests));
    for evidence in [
        Test("test"),
        Fuzz("missing"),
        Generator("generator/texts.py", "missing"),
        Generator("generator/missing.py", "text"),
        Vectors("redact/missing.json"),
        Vectors("redact"),
    ] {
        assert!(!exists(evidence, &tests), "{evidence:?}");
    }
}
