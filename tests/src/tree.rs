//! Locations in a JSON value: counted from the root down, in the order written.

use crate::json::Json;

/// Returns the JSON Pointer of every location, the root first.
pub fn pointers(root: &Json) -> Vec<String> {
    let mut out = Vec::new();
    collect(root, String::new(), &mut out);
    out
}

fn collect(value: &Json, pointer: String, out: &mut Vec<String>) {
    let below = |name: &str| format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
    let members = value
        .members()
        .iter()
        .map(|(name, value)| (below(name), value));
    let elements = value
        .elements()
        .iter()
        .enumerate()
        .map(|(index, value)| (below(&index.to_string()), value));
    let children: Vec<_> = members.chain(elements).collect();
    out.push(pointer);
    for (pointer, child) in children {
        collect(child, pointer, out);
    }
}

/// Returns the value at the location of that number.
pub fn value_at(root: &mut Json, number: usize) -> Option<&mut Json> {
    find(root, &mut { number })
}

fn find<'a>(value: &'a mut Json, left: &mut usize) -> Option<&'a mut Json> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Json::Array(elements) => elements.iter_mut().find_map(|element| find(element, left)),
        Json::Object(members) => members
            .iter_mut()
            .find_map(|(_, member)| find(member, left)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_paths_in_the_order_of_the_pointers() {
        let mut json = Json::parse(br#"{"a":[1,{"b/c":2}],"d":3}"#).unwrap();
        let pointers = pointers(&json);
        assert_eq!(pointers, ["", "/a", "/a/0", "/a/1", "/a/1/b~1c", "/d"]);
        let found: Vec<String> = (0..7)
            .map(|n| value_at(&mut json, n).map_or("-".to_owned(), |v| v.compact()))
            .collect();
        assert_eq!(
            found[1..],
            ["[1,{\"b/c\":2}]", "1", "{\"b/c\":2}", "2", "3", "-"]
        );
    }
}
