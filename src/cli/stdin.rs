//! Standard input that a signal can end.
//!
//! A blocking read goes on after a signal, so an idle `obverse solve -` would not hear Ctrl-C.
//! A thread reads; this side waits for it and for the signal.

use super::signals::Signals;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How often the signal is looked at while nothing comes in.
const GLANCE: Duration = Duration::from_millis(50);

/// The standard input; it seems to end when a signal arrives.
pub struct Stdin {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    taken: usize,
    signals: Signals,
}

impl Stdin {
    /// Starts to read.
    pub fn new(signals: &Signals) -> Self {
        // One chunk ahead at most: the rest waits in the pipe.
        let (sender, chunks) = sync_channel(1);
        thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            loop {
                let mut chunk = vec![0; 1 << 16];
                let read = stdin.read(&mut chunk);
                let last = !matches!(read, Ok(1..));
                let message = read.map(|length| {
                    chunk.truncate(length);
                    chunk
                });
                if sender.send(message).is_err() || last {
                    return;
                }
            }
        });
        Self { chunks, chunk: Vec::new(), taken: 0, signals: signals.clone() }
    }
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.chunk.len() {
            if self.signals.received().is_some() {
                return Ok(0);
            }
            match self.chunks.recv_timeout(GLANCE) {
                Ok(Ok(chunk)) if chunk.is_empty() => return Ok(0),
                Ok(Ok(chunk)) => (self.chunk, self.taken) = (chunk, 0),
                Ok(Err(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
        let rest = &self.chunk[self.taken..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.taken += length;
        Ok(length)
    }
}
