use super::*;

choices! {
    /// How to greet.
    enum Greeting {
        /// A nod of the head, which takes no time
        /// at all.
        Nod = "nod",
        /// Shaking hands.
        ShakeHands = "shake-hands",
    }
}

parameters! {
    /// How long hands are shaken.
    struct ShakeHands {
        /// From the first touch to the last.
        duration: f32 = 1.5, "s", 0.0..=60.0, slider 0.0..=5.0;
        /// How often they go up and down.
        times: u32 = 2, "", 1..=9, slider 1..=4, only with grip = "firm";
        /// How hands are held.
        grip: Grip;
    }
}

choices! {
    /// How hands are held.
    enum Grip {
        /// So that it hurts.
        Firm = "firm",
        /// So that it does not.
        Loose = "loose",
    }
}

parameters! {
    /// What is always said.
    struct Words {
        /// How many words.
        count: u32 = 1, "", 0..=10, slider 0..=3;
    }
}

parameters! {
    /// Who meets whom.
    struct Meeting {
        /// How to greet.
        greeting: Greeting;
        /// How near they come.
        distance: f32 = 0.8, "m", 0.1..=3.0, slider 0.5..=2.0;
    }
    parts {
        shake_hands: ShakeHands as "shake-hands";
        words: Words as "words";
    }
    refuses too_far;
}

fn too_far(meeting: &Meeting) -> Option<Contradiction> {
    (meeting.greeting == Greeting::ShakeHands && meeting.distance > 1.0).then(|| Contradiction {
        key: "distance",
        message: "nobody has such arms".into(),
        help: "come nearer".into(),
    })
}

#[test]
fn comments_become_sentences_and_the_first_word_the_default() {
    assert_eq!(Greeting::WORDS[0], Word { word: "nod", what: "A nod of the head, which takes no time at all." });
    assert_eq!(Greeting::default(), Greeting::Nod);
    let meeting = Meeting::default();
    assert_eq!(meeting.about(), "Who meets whom.");
    assert_eq!(meeting.keys(), ["greeting", "distance", "shake-hands", "words"]);
    let distance = &meeting.table()[1];
    assert_eq!((distance.key, distance.unit, distance.what), ("distance", "m", "How near they come."));
    assert_eq!(distance.default(), Value::Number(0.8));
    assert_eq!(distance.allowed(), "a number, 0.1 to 3 m");
    assert_eq!(meeting.table()[0].allowed(), "one of \"nod\", \"shake-hands\"");
    assert_eq!(ShakeHands::default().table()[1].allowed(), "a whole number, 1 to 9");
}

#[test]
fn a_part_named_like_a_choice_matters_while_it_is_made() {
    let mut meeting = Meeting::default();
    assert!(!meeting.part_matters("shake-hands") && meeting.part_matters("words"));
    assert!(meeting.set("greeting", Value::Choice(1)));
    assert_eq!((meeting.greeting, meeting.chosen("greeting")), (Greeting::ShakeHands, Some("shake-hands")));
    assert!(meeting.part_matters("shake-hands") && meeting.part_matters("words"));
    assert_eq!(meeting.chosen("distance"), None, "that is no choice");
}

#[test]
fn a_parameter_of_another_choice_does_not_matter() {
    let mut hands = ShakeHands::default();
    let times = &hands.table()[1];
    assert!(hands.matters(times));
    hands.grip = Grip::Loose;
    assert!(!hands.matters(times) && hands.matters(&hands.table()[0]));
}

#[test]
fn contradictions_and_parts_out_of_range_are_unsound() {
    let near = Meeting::default();
    assert!(near.is_sound());
    let far = Meeting { distance: 2.0, ..near };
    assert!(far.is_sound());
    let arms = Meeting { greeting: Greeting::ShakeHands, ..far };
    assert!(!arms.is_sound() && arms.contradiction().is_some_and(|c| c.key == "distance"));
    let endless = Meeting { shake_hands: ShakeHands { duration: 61.0, ..near.shake_hands }, ..near };
    assert!(!endless.is_sound() && endless.contradiction().is_none());
}

#[test]
fn bits_are_in_the_order_of_the_tables_and_come_back() {
    let mut meeting = Meeting { distance: 0.25, ..Meeting::default() };
    (meeting.shake_hands.times, meeting.shake_hands.grip, meeting.words.count) = (7, Grip::Loose, 3);
    let bits = meeting.bits();
    assert_eq!(bits, [0, 0.25f32.to_bits(), 1.5f32.to_bits(), 7, 1, 3]);
    let mut other = Meeting::default();
    let mut rest = [&bits[..], &[99]].concat();
    let mut left = rest.as_slice();
    assert!(other.take_bits(&mut left) && left == [99] && other == meeting);
    // No word has this number.
    rest[4] = 2;
    assert!(!other.take_bits(&mut rest.as_slice()));
}

#[test]
fn a_shader_gets_the_own_values_filled_up_to_four() {
    let hands = ShakeHands { duration: 2.5, times: 3, grip: Grip::Loose };
    let words = hands.words();
    assert_eq!(words.len(), 1);
    assert_eq!(words[0].map(f32::to_bits), [2.5f32.to_bits(), 3, 1, 0]);
    assert_eq!(
        hands.wgsl("Hands"),
        "struct Hands {\n    duration: f32,\n    times: u32,\n    grip: u32,\n    padding_0: f32,\n}\n"
    );
}
