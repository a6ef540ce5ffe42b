//! How long work on a table says where it is, and is stopped.

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Finding the reachable positions, from few discs to many.
    Forward,
    /// Scoring them, from many discs to few.
    Backward,
    /// Looking through the blocks of a file.
    Read,
    /// Scoring the positions of a file again.
    Verify,
}

/// How far it is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What is going on.
    pub phase: Phase,
    /// The layer.
    pub discs: u32,
    /// Sets of the layer that are done.
    pub done: u64,
    /// Sets of the layer.
    pub sets: u64,
    /// Positions of the layers that are done and, going backward, of this one's done sets.
    pub positions: u64,
    /// Positions of all layers, where they are known.
    pub all: Option<u64>,
}

/// Hears from long work, from any thread, after every few sets; can stop it.
pub trait Observer: Sync {
    /// It went on.
    fn progress(&self, progress: &Progress);

    /// Whether to stop.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// An observer that does not listen.
impl Observer for () {
    fn progress(&self, _progress: &Progress) {}
}
