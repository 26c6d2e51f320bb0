//! The way to a place inside a JSON value: what a JSON Pointer names.

use alloc::vec::Vec;

use super::lexer::{Lexer, ParseError};
use super::string::JsonStr;

/// A step of a path.
#[derive(Clone, Copy)]
pub(crate) enum PathSegment<'a> {
    Key(JsonStr<'a>),
    Index(usize),
}

impl PathSegment<'static> {
    /// A member that the library names.
    pub(crate) fn named(name: &'static str) -> Self {
        PathSegment::Key(JsonStr::new(name, false))
    }
}

/// A walk through an object, which goes on where it was left: the ways to many places, in their order, cost one walk. The
/// text is known to be sound.
pub(crate) struct PathResolver<'a> {
    lexer: Lexer<'a>,
    /// The step that is being read in each open container; none in an object before its first name.
    open: Vec<Option<PathSegment<'a>>>,
}

impl<'a> PathResolver<'a> {
    pub(crate) fn new(object: &'a str) -> Self {
        PathResolver { lexer: Lexer::new(object, usize::MAX), open: Vec::new() }
    }

    /// The steps to what stands at the byte `at` of the object. A place before the last one, or in another object, begins
    /// the walk anew.
    pub(crate) fn to(&mut self, object: &'a str, at: usize) -> impl Iterator<Item = PathSegment<'a>> {
        if at < self.lexer.at() || !core::ptr::eq(object, self.lexer.text()) {
            *self = PathResolver::new(object);
        }
        // Cannot fail on sound text with `at` inside; else the way ends where it does.
        let _ = self.advance_to(at);
        let named = self.named();
        let (last, before) = self.open.split_last().map_or((None, [].as_slice()), |(last, before)| (*last, before));
        before.iter().copied().chain([named.or(last)]).flatten()
    }

    fn advance_to(&mut self, at: usize) -> Result<(), ParseError> {
        let PathResolver { lexer, open, .. } = self;
        while lexer.at() < at {
            match lexer.peek() {
                b'{' | b'[' => {
                    open.push((lexer.peek() == b'[').then_some(PathSegment::Index(0)));
                    lexer.open()?;
                }
                b'}' | b']' => {
                    lexer.close();
                    open.pop();
                }
                b',' => {
                    lexer.advance();
                    if let Some(Some(PathSegment::Index(index))) = open.last_mut() {
                        *index = index.wrapping_add(1);
                    }
                }
                b'"' => {
                    lexer.advance();
                    let text = lexer.string()?;
                    lexer.skip_whitespace();
                    if lexer.peek() == b':' {
                        lexer.advance();
                        if let Some(segment) = open.last_mut() {
                            *segment = Some(PathSegment::Key(text));
                        }
                    }
                }
                _ => lexer.advance(),
            }
        }
        Ok(())
    }

    /// A name is a place of its own: the one that it names.
    fn named(&self) -> Option<PathSegment<'a>> {
        let (b'"', Some(None | Some(PathSegment::Key(_)))) = (self.lexer.peek(), self.open.last()) else { return None };
        let mut lexer = self.lexer.clone();
        lexer.advance();
        let text = lexer.string().ok()?;
        lexer.skip_whitespace();
        (lexer.peek() == b':').then_some(PathSegment::Key(text))
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

    fn way<'a>(resolver: &mut PathResolver<'a>, object: &'a str, token: &str) -> String {
        let segments = resolver.to(object, object.find(token).unwrap());
        segments.fold(String::new(), |way, segment| match segment {
            PathSegment::Key(name) => format!("{way}/{}", name.raw()),
            PathSegment::Index(index) => format!("{way}/{index}"),
        })
    }

    #[test]
    fn to_many_places_in_their_order_and_against_it() {
        let mut resolver = PathResolver::new(OBJECT);
        for (token, expected) in WAYS.iter().chain(WAYS.iter().rev()) {
            assert_eq!(way(&mut resolver, OBJECT, token), *expected, "{token}");
            // The same place once more.
            assert_eq!(way(&mut resolver, OBJECT, token), *expected, "{token}");
        }
    }

    #[test]
    fn from_one_object_to_another() {
        let other = OBJECT.replace('a', "other name").replace(r#""x""#, "[true]");
        let mut resolver = PathResolver::new(OBJECT);
        for (token, expected) in WAYS.iter().filter(|(token, _)| other.contains(token)) {
            assert_eq!(way(&mut resolver, OBJECT, token), *expected, "{token}");
            assert_eq!(way(&mut resolver, &other, token), expected.replace('a', "other name"), "{token}");
        }
    }
}
