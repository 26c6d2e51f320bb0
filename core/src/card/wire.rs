//! The JSON of `card_info`.

use alloc::vec::Vec;

use super::info::CardInfo;
use crate::json::writer::Writer;

impl CardInfo {
    /// Appends the result of `card_info` as JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("scheme")
                .word_or_null(self.scheme.map(|scheme| scheme.name()));
            w.name("lengths")
                .array(|w| self.lengths.iter().for_each(|length| w.integer(*length)));
            w.name("gaps")
                .array(|w| self.grouping.iter().for_each(|digits| w.integer(*digits)));
            match self.security_code {
                Some(code) => w.name("code").object(|w| {
                    w.name("name").word(code.name);
                    w.name("length").integer(code.length);
                }),
                None => w.name("code").null(),
            }
            w.name("possible").bool(self.possible);
            w.name("valid").bool(self.valid);
            w.name("masked").word(self.masked.as_str());
        });
    }
}
