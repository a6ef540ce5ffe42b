//! Strong solutions: the exact score of every reachable position of a small game, in one file.
//! Depends on `board` and `kernel`.

mod backward;
mod build;
mod code;
mod error;
mod format;
mod forward;
mod grid;
mod layer;
mod lists;
mod map;
mod observer;
mod pack;
mod read;
mod sets;
mod step;
mod verify;
mod work;

pub use build::{BuildOptions, build};
pub use error::TableError;
pub use format::LayerInfo;
pub use map::open_mapped;
pub use observer::{Observer, Phase, Progress};
pub use read::Table;
pub use verify::{Verification, verify};
