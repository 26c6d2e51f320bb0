//! The booleans that represent the state in the legacy API, and their names.

/// The three booleans that represent the state in the legacy API (§9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegacyFlags {
    /// The legacy member `isCompleted` or `is_completed`.
    pub completed: bool,
    /// The legacy member `isSucceed` or `is_succeed`.
    pub succeed: bool,
    /// The legacy member `isPartiallyCompleted` or `is_partially_completed`.
    pub partially_completed: bool,
}

impl LegacyFlags {
    /// The JSON Pointers of the members in both spellings, in the order of the fields.
    pub(crate) const POINTERS: [[&'static str; 2]; 3] = [
        ["/isCompleted", "/is_completed"],
        ["/isSucceed", "/is_succeed"],
        ["/isPartiallyCompleted", "/is_partially_completed"],
    ];

    /// Returns the two spellings of each member, and its value.
    ///
    /// ```
    /// # use payspec::State;
    /// let mut members = State::Fail.legacy_flags().members();
    /// assert_eq!(members.next(), Some((["isCompleted", "is_completed"], true)));
    /// ```
    pub fn members(self) -> impl Iterator<Item = ([&'static str; 2], bool)> {
        let names = LegacyFlags::POINTERS
            .map(|both| both.map(|pointer| pointer.get(1..).unwrap_or_default()));
        names
            .into_iter()
            .zip([self.completed, self.succeed, self.partially_completed])
    }
}
