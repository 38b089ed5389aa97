//! The `retouch` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    retouch_server::cli::main(std::env::args_os())
}
