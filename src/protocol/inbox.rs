//! The commands as they come in: a thread reads them, so that a running search hears of them.

use crate::search::Cancel;
use std::io::BufRead;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

/// The longest command in bytes; more of a line is left out. A whole game in GGF is far shorter.
const MAX_LINE: usize = 1 << 16;

/// Lines read ahead while a search runs; a sender beyond that waits.
const AHEAD: usize = 1024;

/// What a line asks for at the moment it arrives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reaction {
    /// Nothing: it waits for its turn.
    Wait,
    /// The end of the running search, and of those that wait before it.
    Interrupt,
    /// It is answered on the spot and needs no turn.
    Done,
}

/// What the reader and the searcher share.
#[derive(Default)]
struct Shared {
    /// The running search.
    search: Option<Cancel>,
    /// Interrupting lines that wait for their turn.
    interrupts: usize,
    /// Lines that wait or are being worked on.
    open: usize,
}

/// The queue of commands.
pub struct Inbox {
    lines: Receiver<(String, Reaction)>,
    shared: Arc<Mutex<Shared>>,
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Inbox {
    /// Starts to read. `react` sees each line as it comes, and whether the engine is busy.
    pub fn new(
        mut input: Box<dyn BufRead + Send>,
        end: Cancel,
        mut react: impl FnMut(&str, bool) -> Reaction + Send + 'static,
    ) -> Self {
        let (sender, lines) = sync_channel(AHEAD);
        let shared = Arc::new(Mutex::new(Shared::default()));
        let ours = shared.clone();
        thread::spawn(move || {
            while let Some(line) = read_line(&mut *input) {
                let busy = lock(&ours).open > 0;
                let reaction = react(&line, busy);
                if reaction == Reaction::Done {
                    continue;
                }
                let mut state = lock(&ours);
                state.open += 1;
                if reaction == Reaction::Interrupt {
                    state.interrupts += 1;
                    state.search.iter().for_each(Cancel::cancel);
                }
                drop(state);
                if sender.send((line, reaction)).is_err() {
                    return;
                }
            }
            // The end of the input lets a running search finish, unless the process is to end.
            if end.is_cancelled() {
                let mut state = lock(&ours);
                state.interrupts += 1;
                state.search.iter().for_each(Cancel::cancel);
            }
        });
        Self { lines, shared }
    }

    /// The next command; `None` at the end of the input.
    pub fn take(&mut self) -> Option<String> {
        let (line, reaction) = self.lines.recv().ok()?;
        if reaction == Reaction::Interrupt {
            lock(&self.shared).interrupts -= 1;
        }
        Some(line)
    }

    /// Says that a command is answered.
    pub fn finish(&mut self) {
        let mut state = lock(&self.shared);
        state.open = state.open.saturating_sub(1);
    }

    /// Runs a search that interrupting lines end, those already waiting included.
    pub fn search<T>(&self, run: impl FnOnce(&Cancel) -> T) -> T {
        let cancel = Cancel::default();
        {
            let mut state = lock(&self.shared);
            if state.interrupts > 0 {
                cancel.cancel();
            }
            state.search = Some(cancel.clone());
        }
        let result = run(&cancel);
        lock(&self.shared).search = None;
        result
    }
}

/// A line without its end, what is no UTF-8 replaced; `None` at the end of the input or when it
/// cannot be read.
fn read_line(input: &mut dyn BufRead) -> Option<String> {
    let mut line = Vec::new();
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if chunk.is_empty() {
            return (!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned());
        }
        let newline = chunk.iter().position(|&byte| byte == b'\n');
        let piece = &chunk[..newline.unwrap_or(chunk.len())];
        let room = MAX_LINE - line.len();
        line.extend_from_slice(&piece[..piece.len().min(room)]);
        let used = piece.len() + usize::from(newline.is_some());
        input.consume(used);
        if newline.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Some(String::from_utf8_lossy(&line).into_owned());
        }
    }
}
