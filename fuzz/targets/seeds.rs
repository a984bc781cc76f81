//! Writes what the fuzzers begin with, beside the corpus, into a folder: `seeds FOLDER`.
use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).expect("usage: seeds FOLDER");
    throng_fuzz::seeds::write(Path::new(&folder))
}
