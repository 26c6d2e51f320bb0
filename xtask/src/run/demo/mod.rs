//! `cargo xtask demo`: shows the results of the library for real bodies.

mod cases;
mod page;

use anstream::println;
use cases::CASES;
use page::Page;
use payspec::Engine;
use payspec_tests::json::Json;
use payspec_tests::seeds;

/// Prints every case.
pub(crate) fn run() -> Result<(), String> {
    println!("{}", pages()?.join("\n"));
    Ok(())
}

/// Returns the output of every case. Fails if an outcome differs from the expected one.
fn pages() -> Result<Vec<String>, String> {
    let engine = Engine::default();
    let page = |(index, case): (usize, &cases::Case)| {
        let mut page = Page::new(&engine, index + 1, case.title, case.notice);
        (case.show)(&mut page).map_err(|error| format!("{}: {error}", case.title))?;
        if page.statuses != case.statuses {
            return Err(format!(
                "{}: the answers are {:?}, not {:?}",
                case.title, page.statuses, case.statuses
            ));
        }
        Ok(page.text)
    };
    CASES.iter().enumerate().map(page).collect()
}

/// Checks that the demo runs, shows every body, and contains none of their secrets.
pub(crate) fn check() -> Result<(), String> {
    let text = anstream::adapter::strip_str(&pages()?.join("\n")).to_string();
    let mut secrets = Vec::new();
    for (name, body) in seeds::example_bodies() {
        collect(
            &Json::parse(&body).map_err(|error| format!("{name}: {error}"))?,
            &mut secrets,
        );
        if !text.contains(&format!("{name}.json")) {
            return Err(format!("examples/bodies/{name}.json is not shown"));
        }
    }
    let digits: String = text
        .chars()
        .filter(|character| !matches!(character, ' ' | '-'))
        .collect();
    match secrets
        .iter()
        .position(|secret| text.contains(secret) || digits.contains(secret))
    {
        _ if secrets.is_empty() => {
            Err("the bodies contain no secret, so the check proves nothing".to_owned())
        }
        Some(_) => Err("a card number or security code is shown".to_owned()),
        None => Ok(()),
    }
}

/// Collects card numbers and security codes. Shorter strings would match anywhere.
fn collect(value: &Json, out: &mut Vec<String>) {
    for (name, value) in value.members() {
        match value.as_str() {
            Some(text)
                if ["card_number", "security_code"].contains(&name.as_str()) && text.len() > 2 =>
            {
                out.push(text.to_owned());
            }
            _ => collect(value, out),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn shows_every_body_and_no_secret() {
        super::check().unwrap();
    }
}
