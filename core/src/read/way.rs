//! The way to a place inside a JSON value: what a JSON Pointer names.

use alloc::vec::Vec;

use super::lexer::{Fault, Lexer};
use super::text::Text;

/// A step of a path.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    Name(Text<'a>),
    Item(usize),
}

impl Step<'static> {
    /// A member that the library names.
    pub(crate) fn named(name: &'static str) -> Self {
        Step::Name(Text::new(name, false))
    }
}

/// A walk through an object, which goes on where it was left: the ways to many places, in their order, cost one walk. The
/// text is known to be sound.
pub(crate) struct Walk<'a> {
    lexer: Lexer<'a>,
    /// The step that is being read in each open container; none in an object before its first name.
    open: Vec<Option<Step<'a>>>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(object: &'a str) -> Self {
        Walk { lexer: Lexer::new(object, usize::MAX), open: Vec::new() }
    }

    /// The steps to what stands at the byte `at` of the object. A place before the last one, or in another object, begins
    /// the walk anew.
    pub(crate) fn to(&mut self, object: &'a str, at: usize) -> impl Iterator<Item = Step<'a>> {
        if at < self.lexer.at() || !core::ptr::eq(object, self.lexer.text()) {
            *self = Walk::new(object);
        }
        // Cannot fail on sound text with `at` inside; else the way ends where it does.
        let _ = self.walk(at);
        let named = self.named();
        let (last, before) = self.open.split_last().map_or((None, [].as_slice()), |(last, before)| (*last, before));
        before.iter().copied().chain([named.or(last)]).flatten()
    }

    fn walk(&mut self, at: usize) -> Result<(), Fault> {
        let Walk { lexer, open, .. } = self;
        while lexer.at() < at {
            match lexer.peek() {
                b'{' | b'[' => {
                    open.push((lexer.peek() == b'[').then_some(Step::Item(0)));
                    lexer.open()?;
                }
                b'}' | b']' => {
                    lexer.close();
                    open.pop();
                }
                b',' => {
                    lexer.bump();
                    if let Some(Some(Step::Item(place))) = open.last_mut() {
                        *place = place.wrapping_add(1);
                    }
                }
                b'"' => {
                    lexer.bump();
                    let text = lexer.string()?;
                    lexer.blanks();
                    if lexer.peek() == b':' {
                        lexer.bump();
                        if let Some(step) = open.last_mut() {
                            *step = Some(Step::Name(text));
                        }
                    }
                }
                _ => lexer.bump(),
            }
        }
        Ok(())
    }

    /// A name is a place of its own: the one that it names.
    fn named(&self) -> Option<Step<'a>> {
        let (b'"', Some(None | Some(Step::Name(_)))) = (self.lexer.peek(), self.open.last()) else { return None };
        let mut lexer = self.lexer.clone();
        lexer.bump();
        let text = lexer.string().ok()?;
        lexer.blanks();
        (lexer.peek() == b':').then_some(Step::Name(text))
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    const OBJECT: &str = r#"{"a": [1, {"b": "x"}, []], "c": {"d": null}, "e": 2}"#;
    /// What begins at a place, and the way there.
    const WAYS: [(&str, &str); 13] = [
        (r#""a""#, "/a"),
        ("[1", "/a"),
        ("1,", "/a/0"),
        (r#"{"b""#, "/a/1"),
        (r#""b""#, "/a/1/b"),
        (r#""x""#, "/a/1/b"),
        ("[]", "/a/2"),
        (r#""c""#, "/c"),
        (r#"{"d""#, "/c"),
        (r#""d""#, "/c/d"),
        ("null", "/c/d"),
        (r#""e""#, "/e"),
        ("2", "/e"),
    ];

    fn way<'a>(walk: &mut Walk<'a>, object: &'a str, token: &str) -> String {
        let steps = walk.to(object, object.find(token).unwrap());
        steps.fold(String::new(), |way, step| match step {
            Step::Name(name) => format!("{way}/{}", name.raw()),
            Step::Item(place) => format!("{way}/{place}"),
        })
    }

    #[test]
    fn to_many_places_in_their_order_and_against_it() {
        let mut walk = Walk::new(OBJECT);
        for (token, expected) in WAYS.iter().chain(WAYS.iter().rev()) {
            assert_eq!(way(&mut walk, OBJECT, token), *expected, "{token}");
            // The same place once more.
            assert_eq!(way(&mut walk, OBJECT, token), *expected, "{token}");
        }
    }

    #[test]
    fn from_one_object_to_another() {
        let other = OBJECT.replace('a', "other name").replace(r#""x""#, "[true]");
        let mut walk = Walk::new(OBJECT);
        for (token, expected) in WAYS.iter().filter(|(token, _)| other.contains(token)) {
            assert_eq!(way(&mut walk, OBJECT, token), *expected, "{token}");
            assert_eq!(way(&mut walk, &other, token), expected.replace('a', "other name"), "{token}");
        }
    }
}
