//! Time in whole seconds.

/// The default window of the policy, in seconds.
pub const WINDOW: u8 = 1;
/// How long a client waits before it sends its request again, in seconds. More than the window.
pub(crate) const PAUSE: u8 = 2;
/// The reading at the start. Above zero, so that the clock can be set back.
pub(crate) const START: u8 = 10;
/// How far the clock is set back, in seconds. More than the window, so that a key that is too old
/// would be valid again.
pub(crate) const STEP_BACK: u8 = 3;
/// Gateways write the steady clock once in this time, in seconds.
pub(crate) const PERIOD: u8 = 1;

/// The time, and the clock of the database with its steady form: the row `steady_clock` of the
/// gateway's schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Clock {
    /// The time that has passed. No component of the protocol reads it.
    pub time: u8,
    /// How far the clock has been set back.
    pub back: u8,
    /// The latest written reading.
    pub latest: u8,
    /// Is added to the clock.
    pub shift: u8,
    /// When the row was last written, in `time`.
    pub written: u8,
}

impl Clock {
    pub(crate) const fn new() -> Self {
        Clock {
            time: 0,
            back: 0,
            latest: START,
            shift: 0,
            written: 0,
        }
    }

    /// The reading of the database's own clock.
    pub(crate) const fn now(self) -> u8 {
        START + self.time - self.back
    }

    /// The reading that is never less than an earlier one.
    pub(crate) fn steady(self) -> u8 {
        self.latest.max(self.now() + self.shift)
    }

    /// The statement `TICK` of the gateway.
    pub(crate) fn tick(self) -> Self {
        let is_behind = self.now() + self.shift < self.latest;
        let shift = if is_behind {
            self.latest - self.now()
        } else {
            self.shift
        };
        Clock {
            latest: self.steady(),
            shift,
            written: self.time,
            ..self
        }
    }

    /// Whether gateways still have time to write the row.
    pub(crate) const fn may_advance(self) -> bool {
        self.time - self.written < PERIOD
    }
}
