//! `[[hazard]]` as scenes say it.

use super::*;
use throng::scene::Moment;

const ALL: &str = "[[hazard]]\nname = \"cloud\"\nkind = \"gas\"\nat = [12, 5]\nradius = 1.5\ndrift = [0.25, -0.5]\ngrowth = 0.125\nradius_max = 4\n\
                   fade = 6\nstrength = 2\nfear = 1\nfrom = \"leak\"\nuntil = 30\nevery = 60\n\
                   [[hazard]]\nname = \"ghost\"\nkind = \"ghost\"\npath = [[2, 2], [4, 2], [4, 8]]\nspeed = 1.25\nloop = true\nradius = 0.75\n\
                   [[event]]\nat = 3\nname = \"leak\"\n";

#[test]
fn hazards_survive_being_written_and_read() {
    let scene = bridge(1, ALL, "");
    let again = Scene::parse("again.toml", &scene.to_toml(), &NoFiles).expect("it is sound");
    assert_eq!(again.hazards, scene.hazards);
    assert_eq!(again.hazards[0].from, Moment::Event("leak".into()));
    assert!(
        bridge(1, ALL, "plan = \"static\"\n")
            .to_toml()
            .contains("# plans that do not follow the crowd do not know of it")
    );
    let mut large = scene.clone();
    large.scale(4.0).expect("not too large");
    assert_eq!(large.hazards[1].path[2], Vec2::new(8.0, 16.0));
    assert_eq!(large.hazards[1].radius, 0.75);
}

#[test]
fn an_event_starts_a_hazard() {
    for mut sim in runs(&bridge(1, ALL, "")) {
        sim.steps_by(60).expect("steps");
        assert_eq!(sim.world().hazards.now().len(), 1);
        sim.steps_by(1).expect("steps");
        assert_eq!(sim.world().hazards.now().len(), 2);
    }
}
