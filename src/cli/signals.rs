//! Ctrl-C and the termination signal: the first one ends the search with what is proved, a
//! second one ends the process at once.

use crate::search::Cancel;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What arrived since [`Signals::install`].
#[derive(Clone)]
pub struct Signals {
    seen: Arc<AtomicBool>,
    number: Arc<AtomicUsize>,
}

impl Signals {
    /// Takes over both signals for the rest of the process.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn install() -> io::Result<Self> {
        let signals = Self { seen: Arc::default(), number: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            // They run in this order: the first signal finds `seen` unset and lives.
            flag::register_conditional_shutdown(signal, 128 + signal, signals.seen.clone())?;
            flag::register_usize(signal, signals.number.clone(), signal as usize)?;
            flag::register(signal, signals.seen.clone())?;
        }
        Ok(signals)
    }

    /// The number of the signal that arrived, if one did.
    pub fn received(&self) -> Option<u8> {
        let seen = self.seen.load(Ordering::SeqCst);
        seen.then(|| self.number.load(Ordering::SeqCst) as u8)
    }

    /// A switch for the search that the first signal turns.
    pub fn cancel(&self) -> Cancel {
        Cancel::from(self.seen.clone())
    }
}
