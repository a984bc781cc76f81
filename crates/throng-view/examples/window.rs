//! The window, from a program of one's own.

use throng::Scene;
use throng_view::look::Look;
use throng_view::studio::Aim;
use throng_view::window::{EngineWish, Opening, open};

fn main() -> anyhow::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "office".into());
    let scene = Scene::built_in(&name).ok_or_else(|| anyhow::anyhow!("no built-in scene is called {name}"))?;
    open(Opening {
        scene,
        look: Look::default(),
        aim: Aim::Fit,
        size: [1280, 720],
        engine: EngineWish::Auto,
        device: std::env::args().nth(2),
        running: true,
        save_as: format!("{name}-changed.toml").into(),
        stop: Default::default(),
    })?;
    Ok(())
}
