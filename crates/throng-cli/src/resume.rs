//! `--resume F` of `throng run` and `throng render`: a snapshot, or a folder of checkpoints.

use crate::out::remark;
use crate::{Failure, checkpoint, memory};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use throng::budget::Shortage;
use throng::engine::{Field, Values};
use throng::{ResumeError, SNAPSHOT_HEADER, Simulation};

/// Takes on the state that the command line names.
pub(crate) fn resume(from: &Path, sim: &mut Simulation) -> Result<(), Failure> {
    if from.is_dir() {
        return newest(from, sim);
    }
    Ok(one(from, sim).map_err(|why| why.of(from))?)
}

/// Sees to the maps of peak density and use of a run that was taken on, if somebody, by what words, is to show them.
pub(crate) fn keep_maps(shown: Option<&str>, sim: &mut Simulation) -> Result<(), Failure> {
    let has_maps = |sim: &mut Simulation| {
        sim.field(Field::PeakDensity).map(|map| matches!(map, Values::Scalar(v) if !v.is_empty()))
    };
    if let Some(shown) = shown
        && !has_maps(sim)?
    {
        sim.engine_mut().keep_maps(true);
        remark(&format!(
            "note: this snapshot has no maps of peak density and use; {shown} begin at {:.1} s",
            sim.time()
        ));
    }
    Ok(())
}

/// The newest checkpoint of a folder that can be taken on; those that cannot are named.
fn newest(folder: &Path, sim: &mut Simulation) -> Result<(), Failure> {
    let cannot = |e: std::io::Error| anyhow::anyhow!("cannot read the folder {}: {e}", folder.display());
    let files: Vec<PathBuf> =
        checkpoint::in_folder(folder).map_err(cannot)?.into_iter().map(|(_, file)| file).collect();
    let mut first = None;
    for (older, file) in files.iter().enumerate().rev() {
        match one(file, sim) {
            Ok(()) => return Ok(()),
            Err(why) if why.is_of_this_one() => {
                let why = why.of(file).to_string();
                if older > 0 {
                    remark(&format!("note: {why}; the one before it is tried"));
                }
                first.get_or_insert(why);
            }
            Err(why) => return Err(why.of(file).into()),
        }
    }
    let folder = folder.display();
    Err(match first {
        Some(why) => anyhow::anyhow!("there is no whole checkpoint of this scene in {folder}. Of the newest: {why}"),
        None => anyhow::anyhow!("there is no checkpoint in {folder}"),
    }
    .into())
}

/// Why a snapshot was not taken on.
enum Refused {
    Unread(std::io::Error),
    /// There is no memory for it.
    Short(Shortage),
    Bad(ResumeError),
}

impl Refused {
    fn of(self, file: &Path) -> anyhow::Error {
        match self {
            Self::Unread(e) => anyhow::anyhow!("cannot read {}: {e}", file.display()),
            Self::Short(e) => anyhow::anyhow!("cannot read {}: {e}", file.display()),
            Self::Bad(e) => anyhow::anyhow!("{}: {e}", file.display()),
        }
    }

    /// Whether another snapshot of the same run may be better: not if memory is short, or the device fails.
    fn is_of_this_one(&self) -> bool {
        !matches!(self, Self::Short(_) | Self::Bad(ResumeError::Engine(_)))
    }
}

/// Reads a snapshot: first what it is, then only as much as one of this scene can have.
fn one(file: &Path, sim: &mut Simulation) -> Result<(), Refused> {
    // A pipe would be waited for.
    let there = std::fs::metadata(file).map_err(Refused::Unread)?;
    if !there.is_file() {
        let why = "it is a pipe or a device, and a snapshot is a plain file";
        return Err(Refused::Unread(std::io::Error::new(std::io::ErrorKind::InvalidInput, why)));
    }
    let mut open = File::open(file).map_err(Refused::Unread)?;
    let mut bytes = Vec::new();
    open.by_ref().take(SNAPSHOT_HEADER as u64).read_to_end(&mut bytes).map_err(Refused::Unread)?;
    let most = sim.snapshot_limit(&bytes).map_err(Refused::Bad)?;
    let size = there.len().min(most.saturating_add(1));
    let _memory = memory::budget().take(size).map_err(Refused::Short)?;
    open.take(most + 1 - bytes.len() as u64).read_to_end(&mut bytes).map_err(Refused::Unread)?;
    if bytes.len() as u64 > most {
        return Err(Refused::Bad(ResumeError::TooLarge(most)));
    }
    sim.resume(&bytes).map_err(Refused::Bad)
}
