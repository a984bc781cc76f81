//! What is published must be whole: a package holds the files of its own folder and no others.

use std::path::{Component, Path, PathBuf};

/// All Rust files below a folder.
fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            out.pop();
        } else {
            out.push(part);
        }
    }
    out
}

/// The first literal in every `include_str!` and `include_bytes!` of a text: a path, or the beginning of one.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let calls = ["include_str!(", "include_bytes!("].into_iter().flat_map(|call| text.split(call).skip(1));
    calls.filter_map(|rest| rest.split('"').nth(1))
}

#[test]
fn no_crate_includes_a_file_from_outside_of_its_package() {
    let crates = plain(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    let mut seen = 0;
    for package in std::fs::read_dir(&crates).expect("the folder of crates").flatten().map(|e| e.path()) {
        let mut files = Vec::new();
        // Tests are not published: Cargo.toml leaves them out.
        for part in ["src", "examples", "benches"] {
            rust_files(&package.join(part), &mut files);
        }
        for file in files {
            let text = std::fs::read_to_string(&file).expect("a text");
            for path in included(&text) {
                let target = plain(&file.with_file_name(path));
                assert!(target.starts_with(&package), "{} includes {path}", file.display());
                seen += 1;
            }
        }
    }
    // Two for the built-in scenes and one for each of some thirty shaders.
    assert!(seen > 20, "only {seen} were found: this test has gone blind");
}
