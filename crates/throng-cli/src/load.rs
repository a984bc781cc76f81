//! From a name or a path to a scene.

use crate::Failure;
use crate::args::{EngineArgs, EngineChoice, SceneArgs};
use crate::memory;
use crate::out::has_read;
use crate::progress::Waiting;
use std::path::{Component, Path, PathBuf};
use throng::budget::Budget;
use throng::engine::gpu::{Gpu, GpuEngine, GpuError, SplitEngine, StartError};
use throng::scene::{BUILT_IN, BuiltIn, Files, built_in, nearest, with_value};
use throng::{Scene, Simulation};
use throng_view::space::Cast;

/// Files beside a scene's own.
struct Folder {
    path: PathBuf,
    /// Files anywhere, and what is no plain file.
    anything: bool,
    budget: Budget,
}

/// Files of a built-in scene, which runs in as much memory as any other.
struct Within(BuiltIn);

impl Files for Within {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        self.0.read(name)
    }

    fn budget(&self) -> Budget {
        memory::budget()
    }
}

/// An image of 16384² pixels packs into less; a file that is larger is not one.
const LARGEST_FILE: u64 = 2 << 30;

impl Files for Folder {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let file = self.path.join(name);
        if !self.anything {
            self.check(name, &file)?;
        }
        let most = self.budget.left().map_or(LARGEST_FILE, |left| left.min(LARGEST_FILE));
        let bytes = read_bounded(&file, most).map_err(|e| e.to_string())?;
        has_read(&file);
        Ok(bytes)
    }

    fn budget(&self) -> Budget {
        self.budget.clone()
    }
}

impl Folder {
    /// That a name stays in the folder, links included, and is a plain file's: a scene may come from anybody.
    fn check(&self, name: &str, file: &Path) -> Result<(), String> {
        const OUTSIDE: &str = "it is outside of the scene's own folder; --allow-paths lets a scene read any file";
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !Path::new(name).components().all(inside) {
            return Err(OUTSIDE.into());
        }
        let plain = std::fs::metadata(file).map_err(|e| e.to_string())?.is_file();
        if !plain {
            return Err("it is not a plain file".into());
        }
        let real = |path: &Path| path.canonicalize().map_err(|e| e.to_string());
        let folder = if self.path.as_os_str().is_empty() { Path::new(".") } else { &self.path };
        if real(file)?.starts_with(real(folder)?) { Ok(()) } else { Err(OUTSIDE.into()) }
    }
}

/// Reads a file of a sensible size.
pub(crate) fn read_bounded(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let file = std::fs::File::open(path)?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(std::io::Error::other(format!("larger than {most} bytes")));
    }
    Ok(bytes)
}

/// Loads a scene with everything that the command line changes in it.
pub(crate) fn scene(args: &SceneArgs) -> Result<Scene, Failure> {
    scene_and_cast(args).map(|(scene, _)| scene)
}

/// The same, and the characters that it names: every command says what is wrong with these, whether it draws them or not.
pub(crate) fn scene_and_cast(args: &SceneArgs) -> Result<(Scene, Cast), Failure> {
    let _waiting = Waiting::for_("reading the scene");
    let (name, mut text, files): (String, String, Box<dyn Files>) = match built_in(&args.scene) {
        Some(b) => (format!("{}.toml", b.name), b.text.to_owned(), Box::new(Within(b))),
        None => {
            let path = Path::new(&args.scene);
            if path.is_dir() {
                return Err(Failure::Usage(format!(
                    "{} is a folder: name the scene's TOML file in it",
                    path.display()
                )));
            }
            let bytes = read_bounded(path, 256 << 20).map_err(|e| unknown(&args.scene, &e))?;
            let text = String::from_utf8(bytes).map_err(|e| {
                Failure::Usage(format!(
                    "{} is not text: byte {} is not UTF-8. A scene is a TOML file",
                    args.scene,
                    e.utf8_error().valid_up_to()
                ))
            })?;
            has_read(path);
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            (
                args.scene.clone(),
                text,
                Box::new(Folder { path: folder, anything: args.allow_paths, budget: memory::budget() }),
            )
        }
    };
    for set in &args.set {
        // A text that is no TOML, or too long for the memory there is, is reported as such by the parser below, with its place.
        let unread = |e: throng::scene::SceneError| {
            ["this is not TOML", "this text"].iter().any(|what| e.message().starts_with(what))
        };
        if Scene::parse(&name, &text, files.as_ref()).is_err_and(unread) {
            break;
        }
        text = with_set(&text, set)?;
    }
    let name = if args.set.is_empty() { name } else { format!("{name} (with --set)") };
    let mut scene = Scene::parse(&name, &text, files.as_ref())?;
    let cast = Cast::of(&scene)?;
    if let Some(seed) = args.seed {
        scene.seed = seed;
    }
    if let Some(factor) = args.scale {
        scene.scale(factor).map_err(|e| Failure::Usage(format!("--scale: {e}")))?;
    }
    if let Some(total) = args.agents {
        scene.set_agents(total).map_err(|e| Failure::Usage(format!("--agents: {e}")))?;
    }
    Ok((scene, cast))
}

/// A scene's text with what one `--set` changes in it.
pub(crate) fn with_set(text: &str, set: &str) -> Result<String, Failure> {
    let (key, value) = set
        .split_once('=')
        .ok_or_else(|| Failure::Usage(format!("--set {set}: write it as KEY=VALUE, as in --set model.plan=static")))?;
    with_value(text, key.trim(), value.trim()).map_err(|why| Failure::Usage(format!("--set {set}: {why}")))
}

fn unknown(name: &str, error: &std::io::Error) -> Failure {
    let names: Vec<&str> = BUILT_IN.iter().map(|b| b.name).collect();
    let looks_like_path = name.contains(['/', '\\', '.']);
    let stem = Path::new(name).file_stem().and_then(|s| s.to_str()).unwrap_or("");
    if error.kind() == std::io::ErrorKind::NotFound && looks_like_path && names.contains(&stem) {
        return Failure::Usage(format!(
            "there is no file {name}; {stem} is built in: leave the folder and the ending out"
        ));
    }
    Failure::Usage(if error.kind() == std::io::ErrorKind::NotFound && !looks_like_path {
        let meant = nearest(name, names.iter().copied()).map_or(String::new(), |n| format!(" Did you mean {n}?"));
        format!("there is no built-in scene and no file \"{name}\".{meant} Built in are: {}", names.join(", "))
    } else {
        format!("cannot read {name}: {error}")
    })
}

/// Sets a scene up on the engine that was asked for.
pub(crate) fn simulation(scene: &Scene, args: &EngineArgs) -> Result<Simulation, Failure> {
    let _waiting = Waiting::for_("setting the run up");
    if let Some(gpu) = gpu(args)? {
        return Ok(match &args.gpu_from {
            Some(from) => Simulation::on(scene, Box::new(SplitEngine::new(scene, &gpu, from).map_err(started)?)),
            None => Simulation::on(scene, Box::new(GpuEngine::new(scene, &gpu).map_err(started)?)),
        });
    }
    Ok(match args.threads {
        Some(n) => Simulation::with_threads(scene, n as usize)?,
        None => Simulation::new(scene)?,
    })
}

/// The GPU that the command line asks for; `None` for the CPU.
pub(crate) fn gpu(args: &EngineArgs) -> Result<Option<Gpu>, Failure> {
    let for_gpu = match (&args.device, &args.gpu_from, args.engine) {
        (Some(name), _, _) => Some(format!("--device {name}")),
        (_, Some(stage), _) => Some(format!("--gpu-from {stage}")),
        (_, _, EngineChoice::Gpu) => Some("--engine gpu".to_owned()),
        _ => None,
    };
    let for_cpu = match (args.engine, args.threads) {
        (EngineChoice::Cpu, _) => Some("--engine cpu".to_owned()),
        (_, Some(n)) => Some(format!("--threads {n}")),
        _ => None,
    };
    match (for_gpu, for_cpu) {
        (Some(gpu), Some(cpu)) => {
            Err(Failure::Usage(format!("{gpu} asks for a GPU, and {cpu} for the CPU: leave one of them out")))
        }
        (Some(_), None) => Gpu::open(args.device.as_deref()).map(Some).map_err(no_gpu),
        (None, Some(_)) => Ok(None),
        (None, None) => Ok(Gpu::open(None).ok()),
    }
}

/// The device that draws a run: its own if it has one, else the best there is, be it software.
pub(crate) fn drawing_gpu(sim: &Simulation) -> Result<Gpu, Failure> {
    let fits = |gpu: Gpu, on_gpu: bool| match throng_view::draw::check(&gpu, sim.scene(), on_gpu) {
        Ok(()) => Ok(gpu),
        Err(why) => Err(anyhow::anyhow!(why).into()),
    };
    if let Some(engine) = sim.engine().on_gpu() {
        return fits(engine.gpu().clone(), true);
    }
    let mut why = None;
    for device in throng::engine::gpu::devices() {
        match Gpu::open(Some(&device.name)) {
            Ok(gpu) => return fits(gpu, false),
            Err(e) => why = why.or(Some(e)),
        }
    }
    let why = why.map_or_else(
        || "no driver for Vulkan, Metal or DX12 answers".to_owned(),
        |e| format!("no driver for Vulkan, Metal or DX12 will do ({e})"),
    );
    Err(anyhow::anyhow!(
        "there is nothing to draw with: {why}. Software will do: on Debian or Ubuntu the package mesa-vulkan-drivers \
         (sudo apt-get install mesa-vulkan-drivers libvulkan1). Without it `throng field SCENE FIELD -o F.png` draws \
         fields"
    )
    .into())
}

/// What a plain copy moves on the GPU that the command line asks for, GB/s.
pub(crate) fn gpu_copy_speed(args: &EngineArgs) -> Result<f64, Failure> {
    let gpu = Gpu::open(args.device.as_deref()).map_err(no_gpu)?;
    Ok(throng::engine::gpu::copy_speed(&gpu))
}

pub(crate) fn no_gpu(error: GpuError) -> Failure {
    match error {
        GpuError::Unknown(wanted, names) => {
            Failure::Usage(format!("--device {wanted}: no GPU has that in its name. There is: {names}"))
        }
        other => anyhow::Error::from(other).into(),
    }
}

pub(crate) fn started(error: StartError) -> Failure {
    match error {
        StartError::Scene(e) => e.into(),
        StartError::Gpu(e) => no_gpu(e),
    }
}
