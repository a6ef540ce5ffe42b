//! Puts the commit of the source tree into `OBVERSE_COMMIT`; left out where there is no git.

use std::path::Path;
use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A source archive unpacked inside somebody else's repository has no commit of its own.
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let ours = git(&["rev-parse", "--show-toplevel"]).is_some_and(|top| {
        let canonical = |path: &str| Path::new(path).canonicalize().ok();
        canonical(&top).is_some_and(|top| Some(top) == canonical(&here))
    });
    let Some(commit) = ours.then(|| git(&["rev-parse", "--short=12", "HEAD"])).flatten() else {
        return;
    };
    println!("cargo:rustc-env=OBVERSE_COMMIT={commit}");
    // HEAD changes on checkout, its log on every commit too.
    for file in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", file]);
        if let Some(path) = path.filter(|path| Path::new(path).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
}
