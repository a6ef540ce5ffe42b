//! Time for a move from the clock of a game.

use std::time::Duration;

/// Kept back on every move for the way to the client and back.
const MARGIN: Duration = Duration::from_millis(60);

/// Main time, then a number of moves in each period.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// What is left of the main time or of the period.
    left: Duration,
    /// Moves still to be made in the period; 0 in the main time.
    moves: u32,
    /// The length of a period.
    period: Duration,
    /// Moves in a period.
    period_moves: u32,
}

impl Clock {
    /// A clock by `time_settings MAIN PERIOD MOVES`; `None` for no limit: a period without moves.
    pub fn new(main: Duration, period: Duration, period_moves: u32) -> Option<Self> {
        if period_moves == 0 && !period.is_zero() {
            return None;
        }
        let mut clock = Self { left: main, moves: 0, period, period_moves };
        if main.is_zero() && period_moves > 0 {
            clock.begin_period();
        }
        Some(clock)
    }

    fn begin_period(&mut self) {
        (self.left, self.moves) = (self.period, self.period_moves);
    }

    /// What the referee says is left.
    pub fn set_left(&mut self, left: Duration, moves: u32) {
        (self.left, self.moves) = (left, moves);
    }

    /// Time for the next move, where this side has about `own` moves to make.
    pub fn for_move(&self, own: u32) -> Duration {
        let moves = if self.moves > 0 { self.moves } else { own.max(1) };
        // The first half of the game decides more, and a solve near its end needs less.
        let share = self.left / moves;
        let generous = if self.moves > 0 { share } else { share.mul_f64(1.5).min(self.left / 2) };
        generous.saturating_sub(MARGIN).max(Duration::from_millis(1))
    }

    /// Takes the time of a move off.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
        if self.moves > 0 {
            self.moves -= 1;
            if self.moves == 0 {
                self.begin_period();
            }
        } else if self.left.is_zero() && self.period_moves > 0 {
            self.begin_period();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_game_never_costs_more_than_its_time() {
        let mut clock = Clock::new(seconds(60), Duration::ZERO, 0).unwrap();
        let mut spent = Duration::ZERO;
        for own in (1..=30).rev() {
            let time = clock.for_move(own);
            spent += time + MARGIN;
            clock.spend(time + MARGIN);
        }
        assert!(spent <= seconds(60), "{spent:?}");
    }

    #[test]
    fn periods_begin_again() {
        assert_eq!(Clock::new(Duration::ZERO, seconds(5), 0), None);
        let mut clock = Clock::new(Duration::ZERO, seconds(10), 2).unwrap();
        assert_eq!(clock.for_move(30), seconds(5) - MARGIN);
        clock.spend(seconds(9));
        assert_eq!(clock.for_move(29), seconds(1) - MARGIN);
        clock.spend(seconds(1));
        assert_eq!(clock.for_move(28), seconds(5) - MARGIN);
    }
}
