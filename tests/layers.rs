//! The layers hold: no module names one above it. Without this test they would be manners.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the lowest to the highest. A module may name what stands before its own line.
const LAYERS: [&[&str]; 7] = [
    &["board", "durable"],
    &["kernel"],
    &["search", "notation", "table", "proof"],
    &["job", "train"],
    &["report"],
    &["protocol"],
    &["cli"],
];

/// What may be named within a layer: certificates record a search and may rest on a table.
const SIBLINGS: [(&str, &str); 2] = [("proof", "search"), ("proof", "table")];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

fn allowed(from: &str, to: &str) -> bool {
    from == to || SIBLINGS.contains(&(from, to)) || layer(to) < layer(from)
}

/// The modules that a piece of source names after `crate::`, comments left out.
fn named_modules(source: &str) -> Vec<String> {
    let code: Vec<_> =
        source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let mut names = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => names.push(first_name(rest)),
            // The names at depth 0 of `crate::{a::{b, c}, d}`.
            Some(group) => {
                let mut depth = 0;
                let mut fresh = true;
                for (i, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => fresh = true,
                        _ if fresh && !c.is_whitespace() => {
                            names.push(first_name(&group[i..]));
                            fresh = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

fn first_name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn nothing_names_a_module_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut wrong = Vec::new();
    let mut arrows = 0;
    for file in &files {
        let inside = file.strip_prefix(&root).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = first.trim_end_matches(".rs");
        if module == "lib" || module == "main" {
            continue;
        }
        assert!(layer(module).is_some(), "src/{module} has no layer; give it one in this test");
        for name in named_modules(&fs::read_to_string(file).unwrap()) {
            // `crate::SomeMacro` and the like name no module.
            if layer(&name).is_some() {
                arrows += 1;
                if !allowed(module, &name) {
                    wrong.push(format!("{} names crate::{name}", inside.display()));
                }
            }
        }
    }
    assert!(arrows > 10, "the scan found only {arrows} uses: it no longer reads the sources");
    assert!(wrong.is_empty(), "upward arrows:\n{}", wrong.join("\n"));
}

#[test]
fn the_scan_finds_every_form_of_use() {
    let source = "use crate::board::Move;\nuse crate::{kernel::{Level, x}, search};\n\
                  // use crate::cli;\nfn f() { crate::report::json::write(); }\n";
    assert_eq!(named_modules(source), ["board", "kernel", "search", "report"]);
}

#[test]
fn arrows_point_down() {
    assert!(allowed("cli", "board"));
    assert!(allowed("proof", "search"));
    assert!(!allowed("search", "proof"));
    assert!(!allowed("board", "kernel"));
    assert!(!allowed("notation", "search"));
}
