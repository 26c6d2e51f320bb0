//! JSON objects whose members keep their order, and may be repeated.

use serde_json::Value;

/// The members of an object, each with its JSON.
#[derive(Clone, Debug, Default)]
pub(super) struct Body(Vec<(String, String)>);

impl Body {
    /// Parses an object that the library has written.
    pub(super) fn parse(json: &str) -> Option<Self> {
        // A map would lose the order.
        let mut members = Vec::new();
        let value: Value = serde_json::from_str(json).ok()?;
        let object = value.as_object()?;
        let mut names: Vec<&String> = object.keys().collect();
        names.sort_by_key(|name| json.find(&format!("\"{name}\":")));
        for name in names {
            members.push((name.clone(), object[name].to_string()));
        }
        Some(Body(members))
    }

    /// Sets a member, at the end if it is new.
    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.set_json(name, value.into().to_string());
    }

    /// Sets a member to JSON.
    pub(super) fn set_json(&mut self, name: &str, json: String) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, value)) => *value = json,
            None => self.0.push((name.to_owned(), json)),
        }
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| known != name);
    }

    /// Repeats a member at the end.
    pub(super) fn repeat(&mut self, index: usize) {
        self.0.extend(self.0.get(index).cloned());
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the JSON.
    pub(super) fn json(&self) -> String {
        let members = self
            .0
            .iter()
            .map(|(name, value)| format!("{}:{value}", Value::from(name.as_str())));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}
