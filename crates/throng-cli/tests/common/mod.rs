//! What the tests of the program share.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program on a machine with software Vulkan and no other, whatever there is besides.
pub(crate) fn program(args: &[&str]) -> Command {
    let folders = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
    let files = folders.iter().filter_map(|f| std::fs::read_dir(f).ok()).flatten().flatten().map(|f| f.path());
    let is_software = |p: &Path| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("lvp"));
    let driver = files.into_iter().find(|p| is_software(p));
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.args(args).stdin(Stdio::null()).env("XDG_RUNTIME_DIR", std::env::temp_dir());
    if let Some(driver) = driver {
        command.env("VK_DRIVER_FILES", &driver).env("VK_ICD_FILENAMES", &driver);
    }
    command
}

/// What a program that has to fail said on standard error; it printed no result.
pub(crate) fn complaint_of(args: &[&str], output: Output, status: i32) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{args:?}: {text}");
    assert!(output.stdout.is_empty(), "{args:?} printed a result");
    assert!(!text.contains("panicked"), "{text}");
    text
}

/// A file in a folder.
pub(crate) fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("a plain path").to_owned()
}
