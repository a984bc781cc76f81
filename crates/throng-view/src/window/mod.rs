//! The window: events in, frames out.

mod set_up;
mod shown;

use crate::host::RunError;
use crate::look::Look;
use crate::studio::Aim;
use shown::Shown;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use throng::scene::Scene;
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::WindowId;

/// What the run is to run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineWish {
    /// The GPU that draws, if it is a real one; else the CPU.
    Auto,
    /// The CPU, with so many threads.
    Cpu(Option<usize>),
    /// The GPU that draws.
    Gpu,
}

/// What to open.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The scene.
    pub scene: Scene,
    /// How it looks at first.
    pub look: Look,
    /// Where it looks at first.
    pub aim: Aim,
    /// Size of the window, px.
    pub size: [u32; 2],
    /// What to run on.
    pub engine: EngineWish,
    /// The device to draw with, by a part of its name; the run is on it too unless the CPU was asked for.
    pub device: Option<String>,
    /// Whether it runs at once.
    pub running: bool,
    /// Where a changed scene is saved.
    pub save_as: PathBuf,
    /// The window closes by itself once this is set: by Ctrl-C in the terminal, say.
    pub stop: Arc<AtomicBool>,
}

/// Why no window opens, or why it closed.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// There is no display.
    #[error("{0}")]
    NoWindow(String),
    /// There is nothing to draw with.
    #[error("{0}")]
    NoDevice(String),
    /// The scene cannot run.
    #[error(transparent)]
    NoRun(#[from] RunError),
    /// It stopped working.
    #[error("{0}")]
    Failed(String),
}

/// Between frames: where nothing waits for a screen they would take all of the processor.
const FRAME: Duration = Duration::from_millis(15);
/// Software Vulkan draws with the cores that the run needs too.
const SOFTWARE_FRAME: Duration = Duration::from_millis(40);
/// While nothing moves.
const IDLE_FRAME: Duration = Duration::from_millis(100);

/// Opens the window and returns when it was closed.
///
/// # Errors
/// If there is no display, nothing to draw with, or the scene cannot run.
pub fn open(opening: Opening) -> Result<(), ViewError> {
    // winit's own words name files of its source; what a person can change is the display.
    let events = EventLoop::new().map_err(|_| {
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        let why = if cfg!(target_os = "linux") && !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
            "there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set"
        } else {
            "the display that WAYLAND_DISPLAY or DISPLAY names does not answer, or a library for it is missing (Debian: \
             libx11-6, libxcursor1, libxi6, libxkbcommon-x11-0)"
        };
        ViewError::NoWindow(format!(
            "no window can be opened here: {why}. Without one, `throng render SCENE -o picture.png` draws the same picture \
             and `-o film.mp4` a film; `xvfb-run throng view SCENE` opens one that nobody sees"
        ))
    })?;
    let stop = Arc::clone(&opening.stop);
    let mut program = Program { opening: Some(opening), shown: None, failed: None, stop };
    if let Err(e) = events.run_app(&mut program) {
        program.give_up(format!("the window stopped working: {e}"));
    }
    let Program { failed, shown, .. } = program;
    let over_failed = || shown.is_some_and(|shown| shown.app.run_has_failed());
    match failed {
        None if over_failed() => Err(ViewError::Failed("the run had failed when the window was closed".into())),
        failed => failed.map_or(Ok(()), Err),
    }
}

struct Program {
    opening: Option<Opening>,
    shown: Option<Shown>,
    failed: Option<ViewError>,
    stop: Arc<AtomicBool>,
}

impl Program {
    /// When nobody is asked any more: what is in no file is written to one, and it is said why and where.
    fn give_up(&mut self, why: String) {
        if self.failed.is_some() {
            return;
        }
        let said = self.shown.as_mut().and_then(|shown| shown.app.rescue());
        self.failed = Some(ViewError::Failed(said.map_or(why.clone(), |said| format!("{why}; {said}"))));
    }
}

impl ApplicationHandler for Program {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let Some(opening) = self.opening.take() else { return };
        match Shown::new(events, opening) {
            Ok(shown) => {
                shown.window.request_redraw();
                self.shown = Some(shown);
            }
            Err(e) => {
                self.failed = Some(e);
                events.exit();
            }
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if let (StartCause::ResumeTimeReached { .. }, Some(shown)) = (cause, &self.shown) {
            shown.window.request_redraw();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shown) = &mut self.shown else { return };
        let response = shown.input.on_window_event(&shown.window, &event);
        match event {
            WindowEvent::CloseRequested => {
                shown.app.leave();
                if shown.app.quit {
                    events.exit();
                }
                shown.window.request_redraw();
            }
            WindowEvent::Destroyed => {
                if !shown.app.quit {
                    self.give_up("the window was closed by force".into());
                }
                events.exit();
                return;
            }
            // A window that is put away has no size.
            WindowEvent::Resized(size) if size.width > 0 && size.height > 0 => {
                (shown.config.width, shown.config.height) = (size.width, size.height);
                shown.surface.configure(shown.gpu.device(), &shown.config);
            }
            WindowEvent::RedrawRequested => {
                let now = Instant::now();
                if let Err(e) = shown.frame() {
                    self.give_up(e.to_string());
                    events.exit();
                    return;
                }
                shown.next = now + if shown.app.running { shown.interval } else { IDLE_FRAME };
                if shown.app.quit {
                    events.exit();
                }
            }
            _ => {}
        }
        if response.repaint {
            // What somebody does is answered soon, however little moves.
            shown.next = shown.next.min(Instant::now() + shown.interval);
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        if self.stop.load(Ordering::Relaxed) {
            self.give_up("the window was closed by Ctrl-C or a signal".into());
            events.exit();
            return;
        }
        if let Some(shown) = &self.shown {
            if shown.next <= Instant::now() {
                shown.window.request_redraw();
            }
            events.set_control_flow(ControlFlow::WaitUntil(shown.next));
        }
    }
}
