//! Checks the methods: an object form and a JSON form for each line of the table of operations.

use super::read::{Member, interface};
use payspec::operations::{OPERATIONS, Operation};

/// Returns the name in JavaScript: `createPayment` for `create_payment`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let (initial, rest) = word.split_at(1);
        name + &initial.to_uppercase() + rest
    })
}

/// Returns the parameters of a method: name, whether it is required, type.
fn parameters(method: &Member) -> Vec<(&str, bool, &str)> {
    let list = method
        .kind
        .split_once('(')
        .and_then(|(_, rest)| rest.rsplit_once("): "))
        .expect("a method")
        .0;
    let parameter = |text: &'static str| {
        let (name, kind) = text.split_once(": ").expect("a parameter with its type");
        (name.trim_end_matches('?'), !name.ends_with('?'), kind)
    };
    list.split(", ")
        .filter(|text| !text.is_empty())
        .map(parameter)
        .collect()
}

fn method<'m>(methods: &'m [Member], name: &str) -> &'m Member {
    methods
        .iter()
        .find(|method| method.name == name)
        .unwrap_or_else(|| panic!("the types do not contain {name}"))
}

#[test]
fn declares_both_forms_of_every_operation_and_no_other_method() {
    let methods: Vec<Member> = ["CheckoutOperations", "Operations"]
        .into_iter()
        .flat_map(interface)
        .collect();
    for operation in OPERATIONS {
        let name = camel(operation.name);
        object_form(operation, method(&methods, &name));
        json_form(operation, method(&methods, &format!("{name}Json")), &name);
    }
    // The only other method returns the verdict.
    assert_eq!(methods.len(), OPERATIONS.len() * 2 + 1);
    assert_eq!(
        method(&methods, "isValidRequest").kind.rsplit(": ").next(),
        Some("boolean")
    );
}

#[test]
fn keeps_the_order_of_the_table() {
    let methods = interface("Operations");
    let expected: Vec<String> = OPERATIONS
        .iter()
        .filter(|operation| !["validate_request", "card_info", "rules"].contains(&operation.name))
        .flat_map(|operation| [camel(operation.name), camel(operation.name) + "Json"])
        .collect();
    assert_eq!(
        methods.iter().map(|method| method.name).collect::<Vec<_>>(),
        expected
    );
    let checkout: Vec<&str> = interface("CheckoutOperations")
        .iter()
        .map(|method| method.name)
        .collect();
    assert_eq!(
        checkout,
        [
            "validateRequest",
            "validateRequestJson",
            "isValidRequest",
            "cardInfo",
            "cardInfoJson",
            "rules",
            "rulesJson"
        ]
    );
}

/// Checks that required inputs are parameters in the order of the table, and the others parameters
/// or `options`.
fn object_form(operation: &Operation, method: &Member) {
    let parameters = parameters(method);
    let needed: Vec<&str> = parameters
        .iter()
        .filter(|parameter| parameter.1)
        .map(|parameter| parameter.0)
        .collect();
    let inputs: Vec<&str> = operation
        .inputs
        .iter()
        .filter(|input| input.required)
        .map(|input| input.name)
        .collect();
    assert_eq!(needed, inputs, "{}", method.name);
    for input in operation.inputs.iter().filter(|input| !input.required) {
        let by_position = parameters.iter().any(|parameter| parameter.0 == input.name);
        let options = parameters
            .iter()
            .find(|parameter| parameter.0 == "options")
            .map(|parameter| parameter.2);
        // The first type of a union is that of the options.
        let options = options.and_then(|kind| kind.split(" | ").next());
        let in_options = options.is_some_and(|name| {
            interface(name)
                .iter()
                .any(|member| member.name == input.name)
        });
        assert!(
            by_position != in_options,
            "{} should take {} once",
            method.name,
            input.name
        );
    }
    assert!(
        method.doc.contains("@example"),
        "{} has no example",
        method.name
    );
}

/// Checks that the parameters are the inputs of the table, and the result is a text.
fn json_form(operation: &Operation, method: &Member, object_form: &str) {
    let found: Vec<(&str, bool, &str)> = parameters(method);
    let expected: Vec<(&str, bool, &str)> = operation
        .inputs
        .iter()
        .map(|input| {
            let kind = match (input.name, input.required) {
                ("now", false) => "string | null",
                ("header", false) => "string | Uint8Array | null",
                ("header", true) => "string | Uint8Array",
                ("digits" | "text" | "pointer", true) => "string",
                ("kind", true) => "PaymentType",
                (_, true) => "Json",
                (_, false) => "Json | null",
            };
            (input.name, input.required, kind)
        })
        .collect();
    assert_eq!(found, expected, "{}", method.name);
    assert!(
        method.kind.ends_with("): string"),
        "{} should return a text",
        method.name
    );
    assert!(
        method.doc.contains(&format!("{{@link {object_form}}}")),
        "{} should link to its object form",
        method.name
    );
}
