//! WTHOR, the archive of the French Othello Federation: games (`.wtb`) and names (`.jou` players,
//! `.trn` tournaments), little-endian.
//!
//! ```text
//! header   century u8, year u8, month u8, day u8, games u32, names u16, year of the games u16,
//!          board size u8 (0 or 8), type u8 (0 games), empties of the theoretical score u8, 0
//! .wtb     tournament u16, Black u16, White u16, Black's discs u8, theoretical u8, 60 moves
//! .jou     names of 20 bytes, .trn names of 26, padded with zeros, Latin-1
//! ```
//! A move is 10 * row + column, both from 1; 0 ends the game; passes are not stored. Both scores
//! are Black's discs of 64, empties to the winner.

use super::game::{Details, Ending, GameRecord, GameResult, Theoretical};
use super::replay::Replay;
use super::{InputError, Location};
use crate::board::{Color, GameSpec, Move, Position, Setup, Square};
use std::collections::{BTreeMap, BTreeSet};

const HEADER: usize = 16;
const RECORD: usize = 68;
const MOVES: usize = 60;

/// Length of a player's name.
const PLAYER: usize = 20;

/// Length of a tournament's name.
const TOURNAMENT: usize = 26;

/// The board size that a known converter writes into name files.
const ODD_SIZE: u8 = 124;

/// Empties of the theoretical scores in the public archive.
const THEORETICAL_EMPTIES: u8 = 24;

/// The names that the numbers of a `.wtb` file stand for; without them games have numbers only.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Players, from a `.jou` file.
    pub players: Vec<String>,
    /// Tournaments, from a `.trn` file.
    pub tournaments: Vec<String>,
}

/// What the first 16 bytes say.
struct Header {
    games: u32,
    names: u16,
    year: u16,
    size: u8,
    kind: u8,
    depth: u8,
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() < HEADER {
            return Err(format!("the header needs {HEADER} bytes, got {}", bytes.len()));
        }
        Ok(Self {
            games: u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
            names: u16_at(bytes, 8),
            year: u16_at(bytes, 10),
            size: bytes[12],
            kind: bytes[13],
            depth: bytes[14],
        })
    }

    /// Whether the file is as long as its count says.
    fn fits(bytes: &[u8], count: u64, length: usize, what: &str) -> Result<(), String> {
        let expected = HEADER as u64 + count * length as u64;
        let found = bytes.len() as u64;
        if found == expected {
            return Ok(());
        }
        let difference = if found > expected {
            format!("{} bytes too many", found - expected)
        } else {
            format!("{} bytes are missing", expected - found)
        };
        Err(format!(
            "the header names {count} {what}, which take {expected} bytes, but the file has \
             {found}: {difference}"
        ))
    }

    fn check_games(&self, bytes: &[u8]) -> Result<(), String> {
        match self.size {
            0 | 8 => {}
            size => return Err(format!("byte 12: {size}x{size} archives are not supported")),
        }
        if self.kind != 0 {
            return Err(format!("byte 13: type {}; only games (0) are read", self.kind));
        }
        if self.depth > MOVES as u8 {
            return Err(format!("byte 14: a theoretical score at {} empties", self.depth));
        }
        Self::fits(bytes, self.games.into(), RECORD, "games")
    }
}

/// Reads the names of a `.jou` file.
///
/// # Errors
/// When it is none.
pub fn read_players(bytes: &[u8], source: &str) -> Result<Vec<String>, InputError> {
    read_names(bytes, PLAYER).map_err(|message| whole_file(source, message))
}

/// Reads the names of a `.trn` file.
///
/// # Errors
/// When it is none.
pub fn read_tournaments(bytes: &[u8], source: &str) -> Result<Vec<String>, InputError> {
    read_names(bytes, TOURNAMENT).map_err(|message| whole_file(source, message))
}

fn read_names(bytes: &[u8], length: usize) -> Result<Vec<String>, String> {
    let header = Header::read(bytes)?;
    if !matches!(header.size, 0 | 8 | 10 | ODD_SIZE) {
        return Err(format!("byte 12: board size {}, which no file of names has", header.size));
    }
    Header::fits(bytes, header.names.into(), length, "names")?;
    Ok(bytes[HEADER..].chunks(length).map(latin1).collect())
}

/// A name up to its first zero.
fn latin1(bytes: &[u8]) -> String {
    let name: String = bytes.iter().take_while(|&&b| b != 0).map(|&b| char::from(b)).collect();
    name.trim_end().to_owned()
}

fn whole_file(source: &str, message: String) -> InputError {
    let location = Location { source: source.to_owned(), line: None };
    InputError { location, column: None, kind: "bad-file", message }
}

/// The games of a `.wtb` file; an error alone when its header is wrong.
pub(super) fn read<'a>(
    bytes: &'a [u8],
    source: &'a str,
    base: &GameSpec,
    names: &'a Names,
) -> Box<dyn Iterator<Item = Result<GameRecord, InputError>> + 'a> {
    let header = Header::read(bytes);
    let header = header.and_then(|header| header.check_games(bytes).map(|()| header));
    let header = match header {
        Ok(header) => header,
        Err(message) => return Box::new(std::iter::once(Err(whole_file(source, message)))),
    };
    let game = if is_8x8(base) { *base } else { GameSpec::standard() };
    let games = bytes[HEADER..].chunks_exact(RECORD).enumerate();
    Box::new(games.map(move |(i, record)| {
        let location = Location { source: format!("{source}#{}", i + 1), line: None };
        read_game(location.clone(), game, &header, record, names).map_err(|(at, message)| {
            let offset = HEADER + i * RECORD + at;
            let message = format!("{message} (byte {offset} of the file)");
            let kind = "bad-game";
            InputError { location, column: None, kind, message }
        })
    }))
}

/// Whether archive games are games of this kind, counted as it says.
fn is_8x8(game: &GameSpec) -> bool {
    game.with_score_rule(GameSpec::standard().score_rule()) == GameSpec::standard()
}

/// Reads one game; an error comes with the byte of the record.
fn read_game(
    location: Location,
    game: GameSpec,
    header: &Header,
    bytes: &[u8],
    names: &Names,
) -> Result<GameRecord, (usize, String)> {
    let mut record = GameRecord::new(location, game, Setup::start(&game));
    record.plies = read_moves(&game, &bytes[RECORD - MOVES..])?.into_plies();
    let (stored, theoretical) = (bytes[6], bytes[7]);
    let name = |list: &[String], number: u16| {
        list.get(usize::from(number)).filter(|name| !name.is_empty()).cloned()
    };
    record.details.event = name(&names.tournaments, u16_at(bytes, 0));
    record.details.players =
        [name(&names.players, u16_at(bytes, 2)), name(&names.players, u16_at(bytes, 4))];
    if header.year != 0 {
        record.details.date = Some(header.year.to_string());
    }
    if theoretical > 64 {
        let warning = format!("the theoretical score {theoretical} of 64 discs is ignored");
        record.warnings.push(warning);
    } else if header.depth > 0 {
        let (empties, black) = (header.depth.into(), from_discs(theoretical));
        record.details.theoretical = Some(Theoretical { empties, black });
    }
    note_result(&mut record, stored);
    Ok(record)
}

/// The score that goes with Black's discs of 64.
fn from_discs(black: u8) -> i32 {
    2 * i32::from(black) - 64
}

/// Notes the stored result and whether the moves lead to it. A game that stops early has a score
/// all the same: it was adjudged.
fn note_result(record: &mut GameRecord, stored: u8) {
    if stored > 64 {
        record.warnings.push(format!("Black's score {stored} of 64 discs is ignored"));
        return;
    }
    let black = Some(f64::from(from_discs(stored)));
    let usual = GameRecord { game: GameSpec::standard(), ..record.clone() };
    let ending = match usual.black_score() {
        None => Ending::Agreed,
        Some(score) if score == from_discs(stored) => Ending::Played,
        Some(score) => {
            let replayed = (score + 64) / 2;
            record.warnings.push(format!(
                "Black's score is stored as {stored} discs, while the moves lead to {replayed}"
            ));
            Ending::Played
        }
    };
    record.details.result = Some(GameResult { black, winner: None, ending });
}

fn read_moves<'a>(game: &'a GameSpec, bytes: &[u8]) -> Result<Replay<'a>, (usize, String)> {
    let mut replay = Replay::new(game, Color::Black, Position::start(game));
    let length = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let at = |i: usize| RECORD - MOVES + i;
    if let Some(after) = bytes[length..].iter().position(|&byte| byte != 0) {
        return Err((at(length + after), "a move after the end of the game".to_owned()));
    }
    for (i, &byte) in bytes[..length].iter().enumerate() {
        let (row, column) = (u32::from(byte / 10), u32::from(byte % 10));
        if !(1..=8).contains(&row) || !(1..=8).contains(&column) {
            return Err((at(i), format!("byte {byte} is no square, at move {}", i + 1)));
        }
        let square = Square::at(column - 1, row - 1);
        replay.play(Move::Place(square)).map_err(|message| (at(i), message))?;
    }
    Ok(replay)
}

/// The three files of some games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archive {
    /// The games.
    pub wtb: Vec<u8>,
    /// The players.
    pub jou: Vec<u8>,
    /// The tournaments.
    pub trn: Vec<u8>,
    /// What was shortened or left out.
    pub warnings: Vec<String>,
}

/// Writes games with their names, which are numbered in alphabetical order. The date of creation
/// is left at zero, so that equal games give equal files; the year is that of the first game.
///
/// # Errors
/// When a game is not of 8x8 from the usual start, or there are more games or names than fit.
pub fn write(records: &[GameRecord]) -> Result<Archive, String> {
    let mut archive = Archive::default();
    let named: Vec<[Vec<u8>; 3]> = records
        .iter()
        .map(|record| {
            let Details { event, players: [black, white], .. } = &record.details;
            let mut name = |name: &Option<String>, length: usize| {
                let name = name.as_deref().unwrap_or_default();
                let (bytes, changed) = encode(name, length);
                if changed {
                    let warning = format!("the name '{name}' is written as '{}'", latin1(&bytes));
                    archive.warnings.push(warning);
                }
                bytes
            };
            [name(event, TOURNAMENT), name(black, PLAYER), name(white, PLAYER)]
        })
        .collect();
    let tournaments: BTreeSet<_> = named.iter().map(|names| &names[0]).collect();
    let players: BTreeSet<_> = named.iter().flat_map(|names| &names[1..]).collect();
    let count = u32::try_from(records.len()).map_err(|_| "too many games".to_owned())?;
    let depth = records.iter().find_map(|record| record.details.theoretical);
    let depth = depth.map_or(THEORETICAL_EMPTIES, |theoretical| theoretical.empties as u8);
    archive.wtb = header(count, 0, records.first().map_or(0, year), depth).to_vec();
    archive.trn = name_file(&tournaments)?;
    archive.jou = name_file(&players)?;
    let [tournaments, players] = [&tournaments, &players].map(numbers);
    for (record, [tournament, black, white]) in records.iter().zip(&named) {
        for number in [tournaments[tournament], players[black], players[white]] {
            archive.wtb.extend(number.to_le_bytes());
        }
        archive.wtb.extend(game_bytes(record, depth)?);
    }
    Ok(archive)
}

fn name_file(names: &BTreeSet<&Vec<u8>>) -> Result<Vec<u8>, String> {
    let count = u16::try_from(names.len()).map_err(|_| "more than 65535 names".to_owned())?;
    let mut file = header(0, count, 0, 0).to_vec();
    file.extend(names.iter().flat_map(|name| name.iter()));
    Ok(file)
}

/// The number of each name in its file, which holds no more than 65535.
fn numbers<'a>(names: &BTreeSet<&'a Vec<u8>>) -> BTreeMap<&'a Vec<u8>, u16> {
    names.iter().copied().zip(0..=u16::MAX).collect()
}

fn header(games: u32, names: u16, year: u16, depth: u8) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[4..8].copy_from_slice(&games.to_le_bytes());
    bytes[8..10].copy_from_slice(&names.to_le_bytes());
    bytes[10..12].copy_from_slice(&year.to_le_bytes());
    bytes[12] = 8;
    bytes[14] = depth;
    bytes
}

/// The first four digits in a row of the date.
fn year(record: &GameRecord) -> u16 {
    let date = record.details.date.as_deref().unwrap_or_default();
    let year = date.as_bytes().windows(4).find(|four| four.iter().all(u8::is_ascii_digit));
    year.and_then(|four| std::str::from_utf8(four).ok()?.parse().ok()).unwrap_or(0)
}

/// A name in Latin-1, padded with zeros, and whether it had to be changed.
fn encode(name: &str, length: usize) -> (Vec<u8>, bool) {
    let mut bytes: Vec<u8> = name
        .chars()
        .map(|c| u8::try_from(u32::from(c)).ok().filter(|&b| b != 0).unwrap_or(b'?'))
        .collect();
    // The last byte stays zero.
    bytes.truncate(length - 1);
    bytes.resize(length, 0);
    let changed = latin1(&bytes) != name.trim_end();
    (bytes, changed)
}

/// The scores and the moves of a game.
fn game_bytes(record: &GameRecord, depth: u8) -> Result<Vec<u8>, String> {
    let standard = is_8x8(&record.game) && record.start == Setup::start(&record.game);
    if !standard {
        return Err(format!("{}: WTHOR holds 8x8 games from the usual start", record.location));
    }
    let usual = GameRecord { game: GameSpec::standard(), ..record.clone() };
    let discs = |score: i32| ((score + 64) / 2).clamp(0, 64) as u8;
    let written = record.details.result.and_then(|result| result.black);
    let score = usual.black_score().or(written.map(|score| score as i32));
    let score = score.ok_or_else(|| {
        format!("{}: the game is unfinished and has no score, which WTHOR needs", record.location)
    })?;
    let theoretical = record.details.theoretical.filter(|t| t.empties == u32::from(depth));
    let mut bytes = vec![discs(score), discs(theoretical.map_or(score, |t| t.black))];
    for mv in record.moves() {
        if let Move::Place(square) = mv {
            bytes.push((10 * (square.row() + 1) + square.column() + 1) as u8);
        }
    }
    bytes.resize(RECORD - 6, 0);
    Ok(bytes)
}
