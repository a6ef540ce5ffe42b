//! What a searching thread carries: the game, its kernel, node counts, its own small table, and
//! the way to the things all threads share.

use super::eval::Evaluation;
use super::layout::Layout;
use super::local::LocalTable;
use super::tt::Table;
use super::{Bounds, Cancel, Observer, Progress, StopReason};
use crate::board::{Game, Move};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Nodes between two looks at the clock.
const POLL_NODES: u64 = 4096;

/// Time between two reports to the observer.
const REPORT_EVERY: Duration = Duration::from_millis(200);

/// What all threads of one question share.
pub struct Shared<'a> {
    pub table: &'a Table,
    pub layout: &'a Layout,
    pub evaluation: &'a Evaluation,
    /// Number of the question, for the small tables.
    pub question: u32,
    /// Fewest empties at which a node is split among threads; `None` with one thread.
    pub split_at: Option<u32>,
    pub started: Instant,
    pub time_limit: Option<Duration>,
    pub node_limit: Option<u64>,
    pub cancel: &'a Cancel,
    pub observer: &'a dyn Observer,
    /// Small tables not in use, one for each thread that has ever run at once.
    pub locals: &'a Mutex<Vec<LocalTable>>,
    known: Mutex<(Bounds, Option<Move>)>,
    nodes: AtomicU64,
    /// 0, or why everybody must stop.
    stop: AtomicU8,
    /// The answer stands; only its line is still being followed, and only a signal ends that.
    answered: AtomicBool,
    /// Milliseconds since the start of the last report.
    reported: AtomicU64,
}

/// What a question adds to the solver's own parts.
pub struct Terms<'a> {
    pub question: u32,
    pub split_at: Option<u32>,
    pub time_limit: Option<Duration>,
    pub node_limit: Option<u64>,
    pub cancel: &'a Cancel,
    pub observer: &'a dyn Observer,
}

impl<'a> Shared<'a> {
    pub fn new(
        table: &'a Table,
        layout: &'a Layout,
        evaluation: &'a Evaluation,
        locals: &'a Mutex<Vec<LocalTable>>,
        bounds: Bounds,
        terms: Terms<'a>,
    ) -> Self {
        Self {
            table,
            layout,
            evaluation,
            question: terms.question,
            split_at: terms.split_at,
            started: Instant::now(),
            time_limit: terms.time_limit,
            node_limit: terms.node_limit,
            cancel: terms.cancel,
            observer: terms.observer,
            locals,
            known: Mutex::new((bounds, None)),
            nodes: AtomicU64::new(0),
            stop: AtomicU8::new(0),
            answered: AtomicBool::new(false),
            reported: AtomicU64::new(0),
        }
    }

    /// Why the search must stop, if it must.
    pub fn stopped(&self) -> Option<StopReason> {
        match self.stop.load(Ordering::Relaxed) {
            1 => Some(StopReason::Time),
            2 => Some(StopReason::Nodes),
            3 => Some(StopReason::Signal),
            _ => None,
        }
    }

    /// Nodes of all contexts that have ended or polled.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Lets the observer see what is proved from now on.
    pub fn announce(&self, bounds: Bounds, best: Option<Move>) {
        *self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = (bounds, best);
    }

    /// From now on no limit ends the search: what is left to do is cheap, and half a principal
    /// variation helps nobody.
    fn lift_limits(&self) {
        self.answered.store(true, Ordering::Relaxed);
        self.stop.store(0, Ordering::Relaxed);
    }

    fn stop_for(&self, reason: u8) {
        let _ = self.stop.compare_exchange(0, reason, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Adds nodes and looks at limits, cancellation and the observer's clock.
    fn poll(&self, nodes: u64) {
        let total = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        let answered = self.answered.load(Ordering::Relaxed);
        if !answered && self.node_limit.is_some_and(|limit| total >= limit) {
            self.stop_for(2);
        }
        if self.cancel.is_cancelled() {
            self.stop_for(3);
        }
        let elapsed = self.started.elapsed();
        if !answered && self.time_limit.is_some_and(|limit| elapsed >= limit) {
            self.stop_for(1);
        }
        let now = elapsed.as_millis() as u64;
        let last = self.reported.load(Ordering::Relaxed);
        let due = now >= last + REPORT_EVERY.as_millis() as u64;
        if due
            && self
                .reported
                .compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            let (bounds, best) = *self.known.lock().unwrap_or_else(|p| p.into_inner());
            self.observer.progress(&Progress { bounds, best, nodes: total, elapsed });
        }
    }
}

/// Tells the helpers of one split node, and of all splits below it, that nobody needs them.
pub struct Split<'a> {
    done: AtomicBool,
    parent: Option<&'a Split<'a>>,
}

impl<'a> Split<'a> {
    pub fn new(parent: Option<&'a Split<'a>>) -> Self {
        Self { done: AtomicBool::new(false), parent }
    }

    pub fn finish(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    pub fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed) || self.parent.is_some_and(Split::is_done)
    }
}

/// One thread's view of a search.
pub struct Context<'a, G: Game, K> {
    pub game: G,
    pub kernel: K,
    pub shared: &'a Shared<'a>,
    pub split: Option<&'a Split<'a>>,
    pub local: LocalTable,
    /// Positions entered since the last poll.
    pub nodes: u64,
    /// Nodes of this context before the last poll.
    counted: u64,
    poll_at: u64,
    /// Set once the result of this context no longer counts.
    pub aborted: bool,
}

impl<'a, G: Game, K: Copy> Context<'a, G, K> {
    pub fn new(game: G, kernel: K, shared: &'a Shared<'a>, split: Option<&'a Split<'a>>) -> Self {
        let spare = shared.locals.lock().unwrap_or_else(|p| p.into_inner()).pop();
        let mut local = spare.unwrap_or_else(LocalTable::new);
        local.begin(shared.question);
        let mut context = Self {
            game,
            kernel,
            shared,
            split,
            local,
            nodes: 0,
            counted: 0,
            poll_at: 0,
            aborted: false,
        };
        context.poll_at = context.next_poll();
        context
    }

    fn next_poll(&self) -> u64 {
        let left = self.shared.node_limit.map(|limit| limit.saturating_sub(self.shared.nodes()));
        left.map_or(POLL_NODES, |left| left.clamp(1, POLL_NODES))
    }

    /// Positions entered by this context.
    pub fn total_nodes(&self) -> u64 {
        self.counted + self.nodes
    }

    /// Whether the search is to be given up; looks at the clock now and then.
    #[inline(always)]
    pub fn must_stop(&mut self) -> bool {
        if self.nodes >= self.poll_at {
            self.poll();
        }
        self.aborted |= self.split.is_some_and(Split::is_done);
        self.aborted
    }

    /// Goes on after a complete answer, whatever the limits say.
    pub fn lift_limits(&mut self) {
        self.shared.lift_limits();
        self.aborted = false;
    }

    /// Hands the node count on and looks whether anybody asks for the end.
    #[cold]
    pub fn poll(&mut self) {
        self.shared.poll(self.nodes);
        self.counted += self.nodes;
        self.nodes = 0;
        self.poll_at = self.next_poll();
        self.aborted |= self.shared.stopped().is_some();
    }

    /// Ends the context: its nodes are counted, its small table is free for the next one.
    pub fn finish(self) -> u64 {
        self.shared.nodes.fetch_add(self.nodes, Ordering::Relaxed);
        self.shared.locals.lock().unwrap_or_else(|p| p.into_inner()).push(self.local);
        self.counted + self.nodes
    }
}
