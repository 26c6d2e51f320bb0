//! The path to a location inside a JSON value, which a JSON Pointer describes.

use alloc::vec::Vec;

use super::lexer::{Lexer, ParseError};
use super::string::JsonStr;

/// A segment of a path.
#[derive(Clone, Copy)]
pub(crate) enum PathSegment<'a> {
    Key(JsonStr<'a>),
    Index(usize),
}

impl PathSegment<'static> {
    /// Returns the segment of a field that the library defines.
    pub(crate) fn named(name: &'static str) -> Self {
        PathSegment::Key(JsonStr::new(name, false))
    }
}

/// Resolves byte offsets in an object to paths. Each call continues where the last one ended, so
/// ascending offsets cost one pass. The text must be valid.
pub(crate) struct PathResolver<'a> {
    lexer: Lexer<'a>,
    /// The current segment in each open container. It is `None` in an object before its first name.
    open: Vec<Option<PathSegment<'a>>>,
}

impl<'a> PathResolver<'a> {
    pub(crate) fn new(object: &'a str) -> Self {
        PathResolver {
            lexer: Lexer::new(object, usize::MAX),
            open: Vec::new(),
        }
    }

    /// Returns the segments of the path to the byte `at` of the object. An earlier offset or
    /// another object restarts the pass.
    pub(crate) fn to(
        &mut self,
        object: &'a str,
        at: usize,
    ) -> impl Iterator<Item = PathSegment<'a>> {
        if at < self.lexer.at || !core::ptr::eq(object, self.lexer.text) {
            *self = PathResolver::new(object);
        }
        // Cannot fail on valid text that contains `at`. Otherwise the path ends at the error.
        let _ = self.advance_to(at);
        let named = self.named();
        let mut segments = self.open.iter().copied();
        let last = segments.next_back().flatten();
        segments.chain([named.or(last)]).flatten()
    }

    fn advance_to(&mut self, at: usize) -> Result<(), ParseError> {
        let PathResolver { lexer, open, .. } = self;
        while lexer.at < at {
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
                        *index = index.saturating_add(1);
                    }
                }
                b'"' => {
                    if let (text, _, true) = lexer.name_or_string()?
                        && let Some(segment) = open.last_mut()
                    {
                        *segment = Some(PathSegment::Key(text));
                    }
                }
                _ => lexer.advance(),
            }
        }
        Ok(())
    }

    /// Returns the segment of the name at the cursor, because a name has the path of its member.
    fn named(&self) -> Option<PathSegment<'a>> {
        let (text, _, is_name) = self.lexer.clone().name_or_string().ok()?;
        is_name.then_some(PathSegment::Key(text))
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    const OBJECT: &str = r#"{"a": [1, {"b": "x"}, []], "c": {"d": null}, "e": 2}"#;
    /// The text that begins at a location, and its path.
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
    fn resolves_paths_in_any_order() {
        let mut resolver = PathResolver::new(OBJECT);
        for (token, expected) in WAYS.iter().chain(WAYS.iter().rev()) {
            assert_eq!(way(&mut resolver, OBJECT, token), *expected, "{token}");
            // Resolves the same location once more.
            assert_eq!(way(&mut resolver, OBJECT, token), *expected, "{token}");
        }
    }

    #[test]
    fn resolves_paths_in_different_objects() {
        let other = OBJECT
            .replace('a', "other name")
            .replace(r#""x""#, "[true]");
        let mut resolver = PathResolver::new(OBJECT);
        for (token, expected) in WAYS.iter().filter(|(token, _)| other.contains(token)) {
            assert_eq!(way(&mut resolver, OBJECT, token), *expected, "{token}");
            assert_eq!(
                way(&mut resolver, &other, token),
                expected.replace('a', "other name"),
                "{token}"
            );
        }
    }
}
