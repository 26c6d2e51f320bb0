//! Lists that store their first items without the heap.

#[cfg_attr(target_family = "wasm", path = "inline_vec/wasm.rs")]
#[cfg_attr(not(target_family = "wasm"), path = "inline_vec/native.rs")]
mod kind;

pub(crate) use kind::{Few, List, list, push_made};

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::Few;

    #[test]
    fn items_stand_in_their_order_wherever_they_are() {
        let mut few: Few<usize, 3> = Few::default();
        for count in 0..20 {
            assert!(few.iter().copied().eq(0..count), "{count}");
            assert_eq!(matches!(few, Few::Heap(_)), count > 3, "{count}");
            assert_eq!(alloc::format!("{few:?}"), alloc::format!("{:?}", &*few));
            assert!(Vec::from(few.clone()).into_iter().eq(0..count));
            few.push(count);
        }
    }
}
