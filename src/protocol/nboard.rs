//! The NBoard protocol, versions 1 and 2, engine side.
//! Source: weltyc/ntest, `instructions/Protocol.htm`.
//!
//! A depth of `100%` marks a proved score, a plain number a guess at that depth. Any line ends a
//! running search with what it has: the client tells stale answers by its pings.

use super::engine::{Budget, Engine, Line, Thought};
use super::inbox::{Inbox, Reaction};
use super::play::Play;
use super::{Settings, Wire};
use crate::board::{GameSpec, Move, Square};
use crate::notation::wthor::Names;
use crate::notation::{self, GameFormat};
use crate::search::{Cancel, SolverError};
use std::io::{self, Write};
use std::time::Duration;

/// Share of the time for a move that each position of `analyze` gets.
const ANALYZE_SHARE: f64 = 0.1;

struct Session {
    engine: Engine,
    inbox: Inbox,
    output: Box<dyn Write + Send>,
    play: Play,
    depth: Option<u32>,
    move_time: Duration,
}

/// Serves one client to the end of its input or `quit`.
///
/// # Errors
/// When the engine cannot be built (outer), or the output cannot be written (inner).
pub fn run(game: &GameSpec, settings: Settings, wire: Wire) -> Result<io::Result<()>, SolverError> {
    let Wire { input, output, end } = wire;
    let react = |line: &str, _busy| match line.trim() {
        "" => Reaction::Done,
        _ => Reaction::Interrupt,
    };
    let mut session = Session {
        engine: Engine::new(game, settings)?,
        inbox: Inbox::new(input, end, react),
        output,
        play: Play::new(game),
        depth: None,
        move_time: settings.move_time,
    };
    Ok(session.serve())
}

/// `F5`, `PA` and the other spellings of a pass, with anything after a slash left out.
fn read_move(text: &str) -> Option<Move> {
    let name = text.split('/').next().unwrap_or_default();
    match name.parse::<Square>() {
        Ok(square) => Some(Move::Place(square)),
        Err(_) if name.len() >= 2 && name[..2].eq_ignore_ascii_case("pa") => Some(Move::Pass),
        Err(_) => None,
    }
}

fn write_move(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass => "PA".to_owned(),
    }
}

impl Session {
    fn serve(&mut self) -> io::Result<()> {
        while let Some(line) = self.inbox.take() {
            let line = line.trim().to_owned();
            if line == "quit" {
                return Ok(());
            }
            self.obey(&line)?;
            self.inbox.finish();
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn obey(&mut self, line: &str) -> io::Result<()> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "set" => self.set(rest),
            "move" => self.make(rest),
            "hint" => self.hint(rest.parse().unwrap_or(1)),
            "go" => self.go(),
            "analyze" => self.analyze(),
            "ping" => self.say(format!("pong {rest}").trim_end()),
            "learn" => self.say("learned"),
            // Version 1 sends the move alone.
            _ if line.len() == 2 && read_move(line).is_some() => self.make(line),
            // `nboard` itself, and whatever later versions bring.
            _ => Ok(()),
        }
    }

    fn set(&mut self, text: &str) -> io::Result<()> {
        let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match name {
            "depth" => match value.trim().parse::<u32>() {
                Ok(depth) if depth > 0 => {
                    self.depth = Some(depth);
                    self.say(&format!("set myname obverse{depth}"))
                }
                _ => self.say("status error: set depth needs a number"),
            },
            "game" => self.set_game(value),
            _ => Ok(()),
        }
    }

    /// Takes the position after the last entry of a GGF game, a closing pass included.
    fn set_game(&mut self, text: &str) -> io::Result<()> {
        let game = self.engine.game();
        let names = Names::default();
        let mut games =
            notation::read_games(text.as_bytes(), "set game", &game, GameFormat::Ggf, &names);
        let record = match (games.pop(), games.is_empty()) {
            (Some(Ok(record)), true) => record,
            (Some(Err(error)), _) => return self.say(&format!("status error: {error}")),
            _ => return self.say("status error: set game needs one game in GGF"),
        };
        if let Err(error) = self.engine.set_game(&record.game) {
            return self.say(&format!("status error: {error}"));
        }
        self.play = Play::from_record(&record);
        Ok(())
    }

    fn make(&mut self, text: &str) -> io::Result<()> {
        let made = read_move(text).map(|mv| self.play.make(mv));
        match made {
            Some(Ok(())) => Ok(()),
            _ => self.say(&format!("status error: {text} is not a legal move here")),
        }
    }

    fn budget(&self) -> Budget {
        Budget { time: None, depth: self.depth }
    }

    fn hint(&mut self, width: usize) -> io::Result<()> {
        if self.play.is_over() {
            return self.say("status the game is over");
        }
        let position = self.play.now().position;
        let budget = self.budget();
        let Self { engine, inbox, output, .. } = self;
        let mut written = Ok(());
        let thought = inbox.search(|cancel| {
            engine.think(&position, width.max(1), budget, cancel, &mut |thought| {
                // The last one comes below.
                if written.is_ok() && thought.depth > 1 {
                    written = write_hints(output, thought);
                }
            })
        });
        written?;
        write_hints(&mut self.output, &thought)
    }

    fn go(&mut self) -> io::Result<()> {
        let position = self.play.now().position;
        let budget = self.budget();
        let Self { engine, inbox, .. } = self;
        let thought =
            inbox.search(|cancel| engine.think(&position, 1, budget, cancel, &mut |_| {}));
        let Some(Line { pv, worth }) = thought.lines.first().cloned() else {
            return self.say("status the game is over");
        };
        write_stats(&mut self.output, &thought)?;
        let certainty = if worth.is_exact() { "exact" } else { "not exact" };
        self.say(&format!("status {certainty}, {}", depth_text(&thought, worth.is_exact())))?;
        let (mv, seconds) = (write_move(pv[0]), thought.elapsed.as_secs_f64());
        self.say(&format!("=== {mv}/{:.2}/{seconds:.2}", worth.discs()))
    }

    /// Evaluates every position of the game, from the last one back.
    fn analyze(&mut self) -> io::Result<()> {
        let places: Vec<_> = self.play.all().collect();
        let time = Some(self.move_time.mul_f64(ANALYZE_SHARE));
        let budget = Budget { time, depth: self.depth };
        let game = *self.play.game();
        let Self { engine, inbox, output, .. } = self;
        inbox.search(|cancel: &Cancel| {
            for (place, plies) in places.into_iter().rev() {
                if cancel.is_cancelled() {
                    break;
                }
                let thought = engine.think(&place.position, 1, budget, cancel, &mut |_| {});
                let over = f64::from(place.position.final_score(&game));
                let eval = thought.lines.first().map_or(over, |line| line.worth.discs());
                writeln!(output, "analysis {plies} {eval:.2}")?;
                output.flush()?;
            }
            Ok(())
        })
    }
}

fn depth_text(thought: &Thought, exact: bool) -> String {
    if exact { "100%".to_owned() } else { thought.depth.to_string() }
}

fn write_stats(output: &mut dyn Write, thought: &Thought) -> io::Result<()> {
    writeln!(output, "nodestats {} {:.2}", thought.nodes, thought.elapsed.as_secs_f64())
}

/// `search PV EVAL 0 DEPTH TEXT` for each move, the best first.
fn write_hints(output: &mut dyn Write, thought: &Thought) -> io::Result<()> {
    for Line { pv, worth } in &thought.lines {
        let pv: String = pv.iter().copied().map(write_move).collect();
        let (eval, depth) = (worth.discs(), depth_text(thought, worth.is_exact()));
        let certainty = if worth.is_exact() { "exact" } else { "not exact" };
        writeln!(output, "search {pv} {eval:.2} 0 {depth} {certainty}")?;
    }
    write_stats(output, thought)?;
    output.flush()
}
