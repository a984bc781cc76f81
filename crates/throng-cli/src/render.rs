//! `throng render SCENE -o F`

use crate::args::{LayerName, RenderArgs};
use crate::film::{self, Film, Frames, frame_name};
use crate::out::{claim, remark, say, several};
use crate::patience::{self, Patience};
use crate::progress::Progress;
use crate::report::everybody_leaves;
use crate::results::make_folder;
use crate::sheet::Sheet;
use crate::{Failure, interrupt, load, resume};
use image::RgbaImage;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use throng::{Scene, Simulation, Vec2};
use throng_view::camera::Camera;
use throng_view::look::{Colouring, FADED, Look, Overlay};
use throng_view::page;
use throng_view::studio::{Aim, Shooting, Studio};

/// Sizes if none is given, px.
const PICTURE_SIZE: [u32; 2] = [1280, 720];
const SHEET_SIZE: [u32; 2] = [640, 360];
/// Who remembers where everybody was and how long they stood looks as often as this, s.
const LOOK_EVERY_S: f32 = 0.2;
/// A film where people keep coming back is as long as this, s.
const FILM_S: f64 = 60.0;

/// What is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Product {
    Picture,
    Sheet,
    Film,
    Folder,
}

pub(crate) fn render(args: &RenderArgs) -> Result<ExitCode, Failure> {
    let product = product(args)?;
    let scene = load::scene(&args.scene)?;
    let mut look = args.look.look(&scene)?;
    args.look.refuse_idle(&look)?;
    if look.overlay.is_some() && !args.look.opacity.iter().any(|(layer, _)| *layer == LayerName::Agents) {
        look.agents = FADED;
    }
    let size = size(args, product, &scene, &look);
    let (caption, chosen) = (!args.no_caption, args.camera.chosen());
    let mut shooting = Shooting { size, look, aim: Aim::Fit, caption, chosen, text: args.text, back: 0.0 };
    shooting.aim = args.camera.aim(&scene, page::map_room(&scene, &shooting))?;
    if args.to.is_some_and(|to| to <= args.from.unwrap_or(0.0)) {
        return Err(Failure::Usage("--to must be later than --from, which is 0 if not given".into()));
    }
    let sheet = (product == Product::Sheet)
        .then(|| Sheet::new(size, args.sheet.len() as u32, args.columns).map_err(Failure::Usage))
        .transpose()?;
    // Before the work: can the result be written?
    prepare_output(&args.output, product)?;
    if product == Product::Film {
        film::require_ffmpeg(&args.output)?;
    }
    let mut crew = Crew::new(&scene, args, shooting)?;
    match sheet {
        Some(sheet) => contact_sheet(args, &scene, &mut crew, sheet),
        None if product == Product::Picture => picture(args, &scene, &mut crew),
        None => frames(args, &scene, &mut crew, product),
    }
}

/// What the output's name asks for; options that are for something else are refused.
fn product(args: &RenderArgs) -> Result<Product, Failure> {
    let output = args.output.display();
    let text = args.output.to_string_lossy();
    let ending = ending(&args.output);
    let product = if args.output.is_dir() || text.ends_with(std::path::is_separator) || ending.is_empty() {
        Product::Folder
    } else if film::ENDINGS.contains(&ending.as_str()) {
        Product::Film
    } else if ending == "png" {
        if args.sheet.is_empty() { Product::Picture } else { Product::Sheet }
    } else {
        return Err(Failure::Usage(format!(
            "-o {output}: .{ending} is not made. The name must end in .png (a picture), in .{} (a film), or in nothing \
             (a folder of frames)",
            film::ENDINGS.join(", .")
        )));
    };
    let moving = matches!(product, Product::Film | Product::Folder);
    let what = match product {
        Product::Folder => "a folder of frames",
        Product::Film => "a film",
        _ => "a picture",
    };
    for (option, given) in
        [("--steps", args.steps.is_some()), ("--seconds", args.seconds.is_some()), ("--sheet", !args.sheet.is_empty())]
    {
        if moving && given {
            return Err(Failure::Usage(format!(
                "{option} is for a picture, and -o {output} asks for {what}: use --from and --to, or a name that ends in \
                 .png"
            )));
        }
    }
    for (option, given) in [
        ("--from", args.from.is_some()),
        ("--to", args.to.is_some()),
        ("--fps", args.fps.is_some()),
        ("--speed", args.speed.is_some()),
    ] {
        if !moving && given {
            return Err(Failure::Usage(format!(
                "{option} is for a film or a folder of frames, and -o {output} asks for a picture: use --seconds, or a \
                 name that ends in .mp4 or in nothing"
            )));
        }
    }
    Ok(product)
}

fn ending(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

/// The size of each picture, px.
fn size(args: &RenderArgs, product: Product, scene: &Scene, look: &Look) -> [u32; 2] {
    // A field has the page that `throng field` gives it.
    let page = if args.no_caption { None } else { page::natural_size(scene, look) };
    let usual = if product == Product::Sheet { SHEET_SIZE } else { page.unwrap_or(PICTURE_SIZE) };
    let asked = args.size.unwrap_or(usual);
    if product != Product::Film {
        return asked;
    }
    let size = film::fitting(asked, &ending(&args.output));
    if size != asked && !args.quiet {
        remark(&format!("films of this kind have even sides: {} × {} pixels", size[0], size[1]));
    }
    size
}

/// Makes the folder of frames, or makes sure that there is one for the file and that it can be written to.
fn prepare_output(output: &Path, product: Product) -> Result<(), Failure> {
    let folder = if product == Product::Folder {
        make_folder(output)?;
        let frame = std::fs::read_dir(output)
            .map_err(|e| anyhow::anyhow!("cannot read the folder {}: {e}", output.display()))?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .find(|name| name.starts_with("frame-") && name.ends_with(".png"));
        if let Some(frame) = frame {
            return Err(Failure::Usage(format!(
                "-o {}: there are frames in this folder already, as {frame}. Name another, or take them away",
                output.display()
            )));
        }
        output.to_owned()
    } else {
        match output.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        }
    };
    if !folder.is_dir() {
        return Err(Failure::Usage(format!(
            "-o {}: there is no folder {}: make it first",
            output.display(),
            folder.display()
        )));
    }
    let first = if product == Product::Folder { output.join(frame_name(0)) } else { output.to_owned() };
    if product == Product::Film {
        throng_io::plain_file(&first)?;
    }
    claim(&first)
}

/// The step that is nearest to a time.
fn step_at(seconds: f64, scene: &Scene) -> u64 {
    (seconds / f64::from(scene.dt)).round() as u64
}

/// A moment of a film.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moment {
    /// The first step that ends no sooner,
    step: u64,
    /// and how long after it that is, s.
    back: f32,
}

impl Moment {
    fn of(seconds: f64, scene: &Scene) -> Self {
        let dt = f64::from(scene.dt);
        let steps = seconds / dt;
        // What is a step but for rounding is that step.
        let near = steps.round();
        if (steps - near).abs() < 1e-3 {
            return Self { step: near as u64, back: 0.0 };
        }
        Self { step: steps.ceil() as u64, back: ((steps.ceil() - steps) * dt) as f32 }
    }
}

fn picture(args: &RenderArgs, scene: &Scene, crew: &mut Crew) -> Result<ExitCode, Failure> {
    let steps = match (args.steps, args.seconds) {
        (Some(n), _) => n,
        (None, Some(t)) => step_at(t, scene),
        (None, None) => 0,
    };
    let begun = crew.sim.steps();
    let mut progress = Progress::new(steps, "steps", args.quiet);
    crew.go_to(begun.saturating_add(steps), &mut |sim, steps| {
        progress.step(steps, sim.steps() - begun, sim.time(), left_lately(sim));
    })?;
    let image = crew.picture()?;
    progress.finish();
    film::write_frame(&args.output, image)?;
    let [w, h] = crew.shooting.size;
    wrote(args, &format!("{w} × {h} pixels, at {:.2} s (step {})", crew.sim.time(), crew.sim.steps()))?;
    crew.note_absence(Product::Picture);
    Ok(ExitCode::SUCCESS)
}

fn contact_sheet(args: &RenderArgs, scene: &Scene, crew: &mut Crew, mut sheet: Sheet) -> Result<ExitCode, Failure> {
    let mut moments: Vec<(u64, u32)> = (0..).zip(&args.sheet).map(|(k, &t)| (step_at(t, scene), k)).collect();
    moments.sort_unstable();
    let (begun, last) = (crew.sim.steps(), moments.last().map_or(0, |m| m.0));
    crew.refuse_past("--sheet", moments[0].0)?;
    let mut progress = Progress::new(last - begun, "steps", args.quiet);
    for (step, place) in moments {
        crew.go_to(step, &mut |sim, steps| {
            progress.step(steps, sim.steps() - begun, sim.time(), left_lately(sim));
        })?;
        sheet.put(place, &crew.picture()?);
    }
    progress.finish();
    let [w, h] = sheet.size();
    film::write_frame(&args.output, sheet.into_image())?;
    wrote(args, &format!("{w} × {h} pixels, {}", several(args.sheet.len(), "moment")))?;
    crew.note_absence(Product::Sheet);
    Ok(ExitCode::SUCCESS)
}

/// How a film ended.
enum Ending {
    Whole,
    Interrupted,
    /// So many are left, and nobody arrives.
    Stuck(u64),
}

fn frames(args: &RenderArgs, scene: &Scene, crew: &mut Crew, product: Product) -> Result<ExitCode, Failure> {
    crew.stop = Some(interrupt::watch_ctrl_c());
    let fps = args.fps.unwrap_or(25);
    let mut out = match product {
        Product::Film => Frames::Film(Box::new(Film::begin(&args.output, crew.shooting.size, fps)?)),
        _ => Frames::Folder(args.output.clone()),
    };
    let mut done = 0;
    let ending = shoot(args, scene, crew, fps, &mut |frame| {
        out.add(done, frame)?;
        done += 1;
        Ok(())
    });
    // Also when it failed: the frames that there are.
    let kept = out.finish(done);
    let made = several(usize::try_from(done).unwrap_or(usize::MAX), "frame");
    let ending = match ending {
        Ok(ending) => {
            kept?;
            ending
        }
        Err(failure) => {
            if kept.is_ok() && done > 0 {
                remark(&format!("{} has the {made} until then", args.output.display()));
            }
            return Err(failure);
        }
    };
    if done > 0 {
        let [w, h] = crew.shooting.size;
        wrote(args, &format!("{made} of {w} × {h} pixels, {:.2} s at {fps} fps", done as f64 / f64::from(fps)))?;
        crew.note_absence(product);
    }
    match ending {
        Ending::Whole => return Ok(ExitCode::SUCCESS),
        Ending::Interrupted if done == 0 => remark("interrupted before the first frame: there is no film"),
        Ending::Interrupted => {
            let whole = if product == Product::Film { "a whole film" } else { "whole" };
            remark(&format!("interrupted at {:.1} s: what was drawn until then is {whole}", crew.sim.time()));
        }
        Ending::Stuck(left) => remark(&format!("error: {}: the film ends there", patience::words(left))),
    }
    Ok(ExitCode::from(1))
}

/// Draws frame after frame.
fn shoot(
    args: &RenderArgs,
    scene: &Scene,
    crew: &mut Crew,
    fps: u32,
    show: &mut dyn FnMut(&RgbaImage) -> Result<(), Failure>,
) -> Result<Ending, Failure> {
    let begun = crew.sim.time();
    let from = args.from.unwrap_or(begun);
    crew.refuse_past("--from", step_at(from, scene))?;
    if let Some(to) = args.to.filter(|to| *to <= from) {
        return Err(Failure::Usage(format!("--to {to}: the run goes on from {from:.2} s, and that is later")));
    }
    let each = args.speed.unwrap_or(1.0) / f64::from(fps);
    let to = args.to.or((!everybody_leaves(scene)).then_some(from + FILM_S));
    // A hair less, lest rounding adds a frame.
    let count = to.map(|to| ((to - from) / each - 1e-6).ceil().max(1.0) as u64);
    let mut progress = match count {
        Some(n) => Progress::new(n, "frames", args.quiet),
        None => Progress::new(scene.agent_count(), "arrived", args.quiet),
    };
    let mut patience = Patience::new(scene, &crew.sim.counters(), begun);
    let (mut number, mut last) = (0, None);
    let ending = loop {
        if count.is_some_and(|n| number >= n) {
            break Ending::Whole;
        }
        let moment = Moment::of(from + number as f64 * each, scene);
        let step = moment.step;
        let arrived = crew.go_to(step, &mut |sim, steps| {
            let position = if count.is_some() { number } else { sim.engine().latest().arrived };
            progress.step(steps, position, sim.time(), left_lately(sim));
        })?;
        if !arrived {
            break Ending::Interrupted;
        }
        crew.shooting.back = if crew.sim.steps() == step { moment.back } else { 0.0 };
        // Several frames may show one moment: who asks for a moment that is not there yet waits for it.
        let shown = (crew.sim.steps(), crew.shooting.back);
        let image = match last.take() {
            Some((at, image)) if at == shown => image,
            _ => crew.picture()?,
        };
        if count.is_none() {
            let c = crew.sim.counters();
            let left = c.to_go();
            if left == 0 && number == 0 && args.from.is_some_and(|from| from > 0.0) {
                return Err(Failure::Usage(format!("--from {from}: nobody is left then. Begin earlier, or give --to")));
            }
            patience.note(&c);
            if left == 0 {
                show(&image)?;
                break Ending::Whole;
            }
            if patience.is_over(crew.sim.time()) {
                break Ending::Stuck(left);
            }
        }
        show(&image)?;
        number += 1;
        last = Some((shown, image));
    };
    progress.finish();
    Ok(ending)
}

/// A run, who draws it, and what is drawn of it.
struct Crew {
    sim: Simulation,
    studio: Studio,
    shooting: Shooting,
    /// Fields are there after the first step.
    least_steps: u64,
    /// Steps between looks of who has to remember; `None` if nothing of that is shown.
    look_every: Option<u64>,
    /// Steps done when it was drawn last.
    looked: Option<u64>,
    /// Where the person who is followed, or whose way is drawn, was seen last, and after how many steps.
    seen: Option<(Vec2, u64)>,
    stop: Option<Arc<AtomicBool>>,
}

impl Crew {
    fn new(scene: &Scene, args: &RenderArgs, shooting: Shooting) -> Result<Self, Failure> {
        let mut sim = load::simulation(scene, &args.engine)?;
        let shows_maps = shooting.look.overlay.is_some_and(Overlay::is_kept);
        match &args.resume {
            Some(from) => {
                resume::resume(from, &mut sim)?;
                resume::keep_maps(shows_maps.then_some("those that are drawn"), &mut sim)?;
            }
            None if shows_maps => sim.engine_mut().keep_maps(true),
            None => {}
        }
        let studio = Studio::new(&load::drawing_gpu(&sim)?, sim.scene());
        let most = studio.most_pixels();
        if let [w, h] = shooting.size
            && w.max(h) > most
        {
            return Err(Failure::Usage(format!("--size {w}x{h}: the largest here is {most}x{most}")));
        }
        let look = &shooting.look;
        let by = look.colouring;
        let needs_step = look.overlay.is_some() || look.tiles > 0.0 || by == Colouring::Density;
        let remembers = shooting.chosen.is_some() || by == Colouring::Waiting || look.ribbons > 0.0;
        let every = (LOOK_EVERY_S / scene.dt).round().max(1.0) as u64;
        Ok(Self {
            sim,
            studio,
            least_steps: u64::from(needs_step),
            look_every: remembers.then_some(every),
            looked: None,
            seen: None,
            stop: None,
            shooting,
        })
    }

    /// That a moment that is asked for is not over when the run begins.
    fn refuse_past(&self, option: &str, step: u64) -> Result<(), Failure> {
        if step >= self.sim.steps() {
            return Ok(());
        }
        let (asked, begun) = (step as f64 * f64::from(self.sim.scene().dt), self.sim.time());
        Err(Failure::Usage(format!("{option} {asked:.2}: the run goes on from {begun:.2} s, and that is later")))
    }

    /// Steps until so many are done; returns false if it was interrupted. `tell` hears of every few steps.
    fn go_to(&mut self, step: u64, tell: &mut dyn FnMut(&Simulation, u64)) -> Result<bool, Failure> {
        let step = step.max(self.least_steps);
        // A GPU gets several at once.
        let at_once = if self.sim.engine().name() == "cpu" { 1 } else { 25 };
        loop {
            if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::SeqCst)) {
                return Ok(false);
            }
            let done = self.sim.steps();
            if done >= step {
                return Ok(true);
            }
            let mut steps = at_once.min(step - done);
            if let Some(every) = self.look_every {
                if self.looked.is_none_or(|looked| done >= looked + every) {
                    self.look()?;
                }
                let next = self.looked.map_or(done, |looked| looked) + every;
                steps = steps.min(next.saturating_sub(done).max(1));
            }
            self.sim.steps_by(steps)?;
            tell(&self.sim, steps);
        }
    }

    /// Looks at the run without a picture, so that it is known how long everybody stood and where they were.
    fn look(&mut self) -> Result<(), Failure> {
        let blind = Look { agents: 0.0, ..Look::default() };
        let tiny =
            Shooting { size: [16, 16], look: blind, aim: Aim::Fit, caption: false, chosen: None, text: 1.0, back: 0.0 };
        self.studio.draw(&mut self.sim, &tiny)?;
        self.looked = Some(self.sim.steps());
        self.find_chosen()
    }

    /// Notes where the chosen person is, if they are on the floor.
    fn find_chosen(&mut self) -> Result<(), Failure> {
        if let Some(id) = self.shooting.chosen
            && let Some((_, place)) = self.sim.positions()?.into_iter().find(|(other, _)| *other == id)
        {
            self.seen = Some((place, self.sim.steps()));
        }
        Ok(())
    }

    /// The run as it is now.
    fn picture(&mut self) -> Result<RgbaImage, Failure> {
        self.find_chosen()?;
        let mut shooting = self.shooting.clone();
        shooting.aim = aim_after(self.sim.steps(), shooting.aim, self.seen);
        let image = self.studio.picture(&mut self.sim, &shooting)?;
        if let Some(note) = self.studio.take_note() {
            remark(&note);
        }
        self.looked = Some(self.sim.steps());
        Ok(image)
    }

    /// Says so if the chosen person was never there; of a picture also if they are not there any more.
    fn note_absence(&self, product: Product) {
        let Some(id) = self.shooting.chosen else { return };
        let follows = matches!(self.shooting.aim, Aim::Follow(..));
        match self.seen {
            None => remark(&format!(
                "nobody with the number {id} was on the floor until {:.1} s{}",
                self.sim.time(),
                if follows { ": the whole world is shown" } else { ", so there is no way to draw" }
            )),
            Some((_, step)) if product == Product::Picture && step < self.sim.steps() => remark(&format!(
                "number {id} was on the floor until about {:.1} s: {}",
                step as f64 * f64::from(self.sim.scene().dt),
                if follows { "this is where they were last" } else { "this is the way until then" }
            )),
            Some(_) => {}
        }
    }
}

/// Where a picture looks after so many steps: who is there is followed, who has gone is looked for where they were last, instead of
/// everywhere.
fn aim_after(steps: u64, aim: Aim, seen: Option<(Vec2, u64)>) -> Aim {
    match (aim, seen) {
        (Aim::Follow(..), Some((_, step))) if step == steps => aim,
        (Aim::Follow(_, scale), Some((centre, _))) => Aim::At(Camera { centre, scale }),
        (Aim::Follow(..), None) => Aim::Fit,
        _ => aim,
    }
}

/// Who is left, as far as it is known without waiting.
fn left_lately(sim: &Simulation) -> u64 {
    let c = sim.engine().latest();
    c.to_go()
}

fn wrote(args: &RenderArgs, what: &str) -> Result<(), Failure> {
    if args.quiet { Ok(()) } else { say(&format!("wrote {}: {what}\n", args.output.display())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_there_is_followed_and_who_has_gone_is_looked_for_where_they_were() {
        let (follow, place) = (Aim::Follow(3, 40.0), Vec2::new(5.0, 6.0));
        assert_eq!(aim_after(7, follow, Some((place, 7))), follow);
        assert_eq!(aim_after(8, follow, Some((place, 7))), Aim::At(Camera { centre: place, scale: 40.0 }));
        assert_eq!(aim_after(8, follow, None), Aim::Fit);
        assert_eq!(aim_after(8, Aim::Fit, Some((place, 8))), Aim::Fit);
    }
}
