//! Writes the project's own creature as a .glb, a template for somebody's own character: bones, weights, materials, and clips by the
//! names that Throng knows them by.
//!
//! ```text
//! cargo run -p throng-creature --example template -- creature.glb [LEVEL]
//! ```
//!
//! LEVEL is 0 (the finest mesh, the default) to 3.

use throng_creature::Character;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("name the file to write, as in creature.glb")?;
    let level = words.next().map_or(Ok(0), |word| word.parse())?;
    let creature = Character::creature();
    // One clip for everything that it can do; what leads from one to the next is not used.
    let first = |clip: &throng_creature::Clip| {
        let of_role = creature.clips_for(clip.role).next();
        of_role.is_some_and(|number| creature.clips[number].name == clip.name)
    };
    std::fs::write(path, creature.to_glb(level, first))?;
    Ok(())
}
