//! `obverse convert`: games and positions from one format into another.

use super::console::Console;
use super::error::{CliError, Status};
use super::input::{InputArgs, Item, Pick};
use super::options::GameArgs;
use super::signals::Signals;
use crate::board::Setup;
use crate::notation::game::GameRecord;
use crate::notation::wthor::{self, Names};
use crate::notation::{Entry, InputError, base81, ggf, json_game, obf, playok, sgf, transcript};
use clap::ValueEnum;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  obverse convert games.ggf --to sgf > games.sgf
  obverse convert WTH_1980.wtb --players WTHOR.JOU --tournaments WTHOR.TRN --to json
  obverse convert WTH_1980.wtb --at-empties 20 --to obf
  obverse convert games.pgn --to wthor > games.wtb
  obverse convert games.pgn --to jou > games.jou

Games can be written as positions (the last one, or those of --at-empties and --every) and
positions as games without moves. What cannot be expressed is reported and left out.";

/// Convert games and positions between formats
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    game: GameArgs,
    /// The format to write, on the standard output
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Target,
    /// The players of a WTHOR archive (a .jou file)
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,
    /// The tournaments of a WTHOR archive (a .trn file)
    #[arg(long, value_name = "FILE")]
    tournaments: Option<PathBuf>,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Target {
    /// Positions with their scores, one a line
    Obf,
    /// Positions alone, one a line
    Script,
    /// Positions of 16 characters, one a line
    Base81,
    /// The moves of each game in a line
    Transcript,
    /// One JSON object a game
    Json,
    /// GGF games, one a line
    Ggf,
    /// SGF games, one a line
    Sgf,
    /// Numbered lists of moves with PGN-like tags
    Playok,
    /// A WTHOR archive: the games
    Wthor,
    /// A WTHOR archive: the players
    Jou,
    /// A WTHOR archive: the tournaments
    Trn,
}

impl Target {
    fn is_archive(self) -> bool {
        matches!(self, Self::Wthor | Self::Jou | Self::Trn)
    }
}

/// Converts every input in order.
///
/// # Errors
/// When the files of names cannot be read, or the output cannot be written. What is wrong with
/// single games is reported on the way.
pub fn run(args: &Args, console: &Console) -> Result<Status, CliError> {
    if args.to.is_archive() && io::stdout().is_terminal() {
        return Err(CliError::usage("this format is not text; send it to a file with >"));
    }
    let names = Names {
        players: read_names(args.players.as_deref(), wthor::read_players)?,
        tournaments: read_names(args.tournaments.as_deref(), wthor::read_tournaments)?,
    };
    let game = args.game.game;
    let sources = args.input.sources(&game)?;
    let signals = Signals::install()
        .map_err(|error| CliError::usage(format!("cannot listen for signals: {error}")))?;
    let (mut status, mut archive) = (Status::Done, Vec::new());
    let mut out = io::stdout().lock();
    for source in sources {
        for item in args.input.items(source, &game, &names, &signals) {
            if let Some(number) = signals.received() {
                return Ok(Status::Signal(number));
            }
            let complaint = match item {
                Ok(item) if args.to.is_archive() => {
                    archive.push(item.record);
                    None
                }
                Ok(item) => write_item(&mut out, args.to, args.input.pick(), item, console)?,
                Err(error) => Some(error.to_string()),
            };
            if let Some(complaint) = complaint {
                console.error(&complaint);
                status = Status::Input;
            }
        }
    }
    if args.to.is_archive() {
        write_archive(&mut out, args.to, &archive, console)?;
    }
    out.flush()?;
    Ok(status)
}

/// Reads a file of names, none when it is not named.
fn read_names(
    path: Option<&Path>,
    read: fn(&[u8], &str) -> Result<Vec<String>, InputError>,
) -> Result<Vec<String>, CliError> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let name = path.display().to_string();
    let bytes = fs::read(path)
        .map_err(|error| CliError::usage(format!("{name}: cannot be read: {error}")))?;
    Ok(read(&bytes, &name)?)
}

/// Writes what was read, and says why not when the format cannot express it.
fn write_item(
    out: &mut dyn Write,
    to: Target,
    pick: Pick,
    item: Item,
    console: &Console,
) -> Result<Option<String>, CliError> {
    for warning in &item.record.warnings {
        console.warning(&format!("{}: {warning}", item.record.location));
    }
    let location = item.record.location.to_string();
    let text = if matches!(to, Target::Obf | Target::Script | Target::Base81) {
        let game = item.record.game;
        let lines = pick.entries(item).into_iter().map(|entry| position_line(to, &game, &entry));
        lines.collect::<Result<Vec<_>, _>>().map(|lines| lines.concat())
    } else {
        game_text(to, &item.record)
    };
    match text {
        Ok(text) => {
            out.write_all(text.as_bytes())?;
            Ok(None)
        }
        Err(why) => Ok(Some(format!("{location}: {why}"))),
    }
}

fn position_line(
    to: Target,
    game: &crate::board::GameSpec,
    entry: &Entry,
) -> Result<String, String> {
    Ok(match to {
        Target::Obf => obf::write(game, &entry.setup, entry.score, &entry.move_scores),
        Target::Base81 => base81::write(game, &entry.position)?,
        _ => entry.setup.text(game).to_string(),
    } + "\n")
}

fn game_text(to: Target, record: &GameRecord) -> Result<String, String> {
    Ok(match to {
        Target::Ggf => ggf::write(record)? + "\n",
        Target::Sgf => sgf::write(record)? + "\n",
        Target::Playok => playok::write(record)? + "\n\n",
        Target::Json => json_game::write(record) + "\n",
        _ => transcript_line(record),
    })
}

/// The moves; before them the position, unless it is the start.
fn transcript_line(record: &GameRecord) -> String {
    let moves = transcript::write(&record.moves());
    let usual_start = record.start == Setup::start(&record.game);
    let start = record.start.text(&record.game);
    match (usual_start, moves.is_empty()) {
        (true, true) => "start\n".to_owned(),
        (true, false) => format!("{moves}\n"),
        (false, true) => format!("{start}\n"),
        (false, false) => format!("{start};{moves}\n"),
    }
}

fn write_archive(
    out: &mut dyn Write,
    to: Target,
    records: &[GameRecord],
    console: &Console,
) -> Result<(), CliError> {
    let archive = wthor::write(records).map_err(CliError::usage)?;
    for warning in &archive.warnings {
        console.warning(warning);
    }
    Ok(out.write_all(match to {
        Target::Jou => &archive.jou,
        Target::Trn => &archive.trn,
        _ => &archive.wtb,
    })?)
}
