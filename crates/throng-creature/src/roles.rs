//! What names of clips, and of what agents do, speak of.

use crate::Role;

/// What words in a name mean; the first that fits counts.
const WORDS: &[(&str, Role)] = &[
    ("stumble", Role::Stumble),
    ("trip", Role::Stumble),
    ("flee", Role::Flee),
    ("panic", Role::Flee),
    ("drop", Role::Drop),
    ("throw", Role::Drop),
    ("carry", Role::Carry),
    ("sack", Role::Carry),
    ("hold", Role::Hold),
    ("swing", Role::Mine),
    ("pick", Role::PickUp),
    ("lift", Role::PickUp),
    ("walk", Role::Walk),
    ("run", Role::Run),
    ("sprint", Role::Run),
    ("jog", Role::Run),
    ("mine", Role::Mine),
    ("mining", Role::Mine),
    ("dig", Role::Mine),
    ("work", Role::Mine),
    ("eat", Role::Eat),
    ("munch", Role::Eat),
    ("drink", Role::Eat),
    ("sleep", Role::Sleep),
    ("lie", Role::Sleep),
    ("sit", Role::Rest),
    ("rest", Role::Rest),
    ("look", Role::Look),
    ("wave", Role::Wave),
    ("cheer", Role::Cheer),
    ("dance", Role::Cheer),
    ("cower", Role::Cower),
    ("fear", Role::Cower),
    ("idle", Role::Stand),
    ("stand", Role::Stand),
    ("survey", Role::Stand),
];

impl Role {
    /// The role that a name speaks of. Words begin words: "Armature|Walk_01" walks, "prune" does not run.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut split = String::new();
        let mut before = ' ';
        for letter in name.chars() {
            // "PickUp" and "pick_up" are the same words.
            if letter.is_uppercase() && before.is_lowercase() {
                split.push(' ');
            }
            split.push(if letter.is_alphabetic() { letter.to_ascii_lowercase() } else { ' ' });
            before = letter;
        }
        let found = |(word, role): &(&str, Self)| split.split(' ').any(|part| part.starts_with(word)).then_some(*role);
        WORDS.iter().find_map(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_roles_by_name() {
        assert_eq!(Role::named("Walk"), Some(Role::Walk));
        assert_eq!(Role::named("Armature|walk_cycle.001"), Some(Role::Walk));
        assert_eq!(Role::named("PickUp"), Some(Role::PickUp));
        assert_eq!(Role::named("Running"), Some(Role::Run));
        assert_eq!(Role::named("HumanIdle"), Some(Role::Stand));
        assert_eq!(Role::named("prune"), None);
    }

    #[test]
    fn two_words_mean_what_they_mean_together() {
        assert_eq!(Role::named("swing pick"), Some(Role::Mine));
        assert_eq!(Role::named("walk with sack"), Some(Role::Carry));
        assert_eq!(Role::named("drop sack"), Some(Role::Drop));
    }
}
