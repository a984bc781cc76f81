//! When the window has to close by itself: what is in no file is written to one of its own, and it is said where.

use super::App;
use super::drop::with_start_times;
use super::save::{place, write_anew};
use crate::host::Done;
use crate::pace::{Pace, Stop};
use crate::shot::Wish;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long a run that steps may take to answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(5);

impl App {
    /// Writes the changed scene beside the file that it would be saved to, or where that cannot be, into the working folder or the one for
    /// temporary files; under a name of its own. Returns what there is to say about it, if anything was in no file.
    pub fn rescue(&mut self) -> Option<String> {
        let began = Instant::now();
        // What was done last may not be known of yet.
        loop {
            self.listen();
            if self.host.owes_nothing() || began.elapsed() > PATIENCE {
                break;
            }
            std::thread::sleep(PAUSE);
            drop(self.host.advance(Pace::Paused, Stop::default(), &Wish::default()));
        }
        if self.host.owes_nothing() && !self.changes.is_unsaved() {
            return None;
        }
        let saved_to = place(&self.save_as).map_or_else(|_| ".".into(), |(folder, ..)| folder);
        let stem = place(&self.save_as).map_or_else(|_| "scene".to_owned(), |(_, stem, _)| stem);
        let folders: [PathBuf; 3] = [saved_to, PathBuf::new(), std::env::temp_dir()];
        let (dropped, origin) = (self.dropped.clone(), std::sync::Arc::clone(&self.origin));
        let (send, receive) = mpsc::channel();
        self.host.tell(Box::new(move |sim| {
            let scene = with_start_times(sim.edited_scene(), &dropped);
            let stem = format!("{stem}-rescued");
            let mut written = Err(String::new());
            for folder in folders {
                written = written.or_else(|_| write_anew(&scene, &origin, &folder, &stem));
            }
            // Whoever does not wait any more has said that it is lost.
            drop(send.send(written));
            Ok(Done::quietly())
        }));
        Some(match receive.recv_timeout(PATIENCE) {
            Ok(Ok(file)) => format!("changes that were in no file are in {} now", file.display()),
            Ok(Err(why)) => format!("changes that were in no file are lost: {why}"),
            Err(_) => "changes that were in no file are lost: the run does not answer".into(),
        })
    }
}
