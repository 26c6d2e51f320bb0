//! The context of `compare_policies`.

use crate::error::{Error, ErrorKind};
use crate::input::InputValue;
use crate::policy::{Policy, Ruleset};

/// Two policies to compare.
#[derive(Clone, Debug)]
pub struct ComparePoliciesContext {
    before: Ruleset,
    after: Ruleset,
}

impl ComparePoliciesContext {
    /// Creates a context for the change from one policy to another one.
    ///
    /// # Errors
    /// Returns a context error if a setting is invalid or contradicts another one. Its path begins
    /// with `/before` or `/after`.
    ///
    /// # Examples
    /// ```
    /// use payspec::{ComparePoliciesContext, Policy};
    ///
    /// let mut after = Policy::default();
    /// after.limits.depth = 0;
    /// let error = ComparePoliciesContext::new(Policy::default(), after).unwrap_err();
    /// assert_eq!(error.path(), "/after/limits/depth");
    /// ```
    pub fn new(before: Policy, after: Policy) -> Result<Self, Error> {
        Ok(ComparePoliciesContext {
            before: prepare(before, "/before")?,
            after: prepare(after, "/after")?,
        })
    }

    /// Returns the first policy.
    pub fn before(&self) -> &Policy {
        &self.before.policy
    }

    /// Returns the second policy.
    pub fn after(&self) -> &Policy {
        &self.after.policy
    }

    pub(crate) fn rulesets(&self) -> (&Ruleset, &Ruleset) {
        (&self.before, &self.after)
    }

    /// Reads the JSON form. A policy that is absent or null is the default one.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &T) -> Result<Self, Error> {
        let root = InputValue::root(json.as_ref(), ErrorKind::Context)?;
        root.check_members(&["before", "after"])?;
        let read = |name| Policy::from_member(&root.member(name));
        let before = prepare(read("before")?, "/before")?;
        let after = prepare(read("after")?, "/after")?;
        Ok(ComparePoliciesContext { before, after })
    }
}

fn prepare(policy: Policy, base: &str) -> Result<Ruleset, Error> {
    policy.check().map_err(|error| error.in_context(base))?;
    Ok(Ruleset::new(policy))
}
