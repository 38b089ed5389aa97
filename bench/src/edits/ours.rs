//! Retouch's edits, in a process of their own like those of the other libraries: a line requests an
//! edit, a line reports its cost.

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use retouch_engine::codec::{Limits, decode, encode_png};
use retouch_engine::{Context, execute};
use retouch_language::read;

use super::peers::{Asked, Done};
use crate::Fallible;

/// Answers until its input ends.
///
/// # Errors
/// If a line cannot be read, or an edit fails.
pub(crate) fn serve() -> Fallible<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let asked: Asked = serde_json::from_str(&line?)?;
        writeln!(out, "{}", serde_json::to_string(&edit(&asked)?)?)?;
        out.flush()?;
    }
    Ok(())
}

fn edit(asked: &Asked) -> Fallible<Done> {
    let bytes = std::fs::read(&asked.input)?;
    let began = Instant::now();
    let picture = decode(&bytes, &Limits::default())?;
    let decoded = began.elapsed();
    let plan = read(&asked.words, &Context { inputs: 1, ..Context::default() })?;
    let edited = execute(&plan, vec![picture])?.picture;
    let worked = began.elapsed();
    let file = encode_png(&edited)?;
    let all = began.elapsed();
    let (width, height) = edited.size();
    let codecs_ms = Some(ms(all - worked + decoded));
    Ok(Done { ms: ms(all), codecs_ms, bytes: u32::try_from(file.len())?, width, height })
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
