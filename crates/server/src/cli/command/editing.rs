//! The arguments of the commands that edit images: here, or by a server.

use std::path::PathBuf;

use clap::Args;
use retouch_core::image::{AspectRatio, OutputFormat, Size};
use url::Url;

use super::Output;
use crate::cli::edit;

#[derive(Debug, Args)]
#[command(
    override_usage = "retouch edit [OPTIONS] <IMAGE>... <INSTRUCTION> -o <OUT.png>\n       \
        retouch edit [OPTIONS] <IMAGE, FOLDER or PATTERN>... <INSTRUCTION> --out-dir <FOLDER>",
    after_help = "Examples:\n  \
        retouch edit photo.jpg \"a bit brighter, then crop to 3:2\" -o out.png\n  \
        retouch edit left.png right.png \"put them side by side\" -o both.png\n  \
        retouch edit 'photos/*.jpg' \"resize to 1600 px wide\" --out-dir results\n  \
        retouch edit photo.jpg \"sepia\" --explain\n  \
        retouch edit photo.jpg --plan plan.json -o out.png\n  \
        retouch edit photo.jpg \"remove the car\" -o out.png --server https://edit.example.com"
)]
pub(in crate::cli) struct EditArguments {
    /// The images, followed by the instruction in quotation marks. With --out-dir, folders and
    /// patterns in quotation marks work too: 'photos/*.jpg', or 'photos/**/*.jpg' with subfolders.
    #[arg(required = true, num_args = 1.., value_name = "IMAGE... INSTRUCTION")]
    pub(in crate::cli) pictures_and_instruction: Vec<String>,
    /// Run this plan instead of an instruction, as printed by --explain --json.
    #[arg(long, value_name = "PLAN.json")]
    pub(in crate::cli) plan: Option<PathBuf>,
    /// Where to save the result, as PNG, JPEG or WebP by the extension; - writes a PNG to standard
    /// output.
    #[arg(
        short = 'o',
        long = "output",
        value_name = "OUT.png",
        required_unless_present_any = ["explain", "out_dir"]
    )]
    pub(in crate::cli) to: Option<PathBuf>,
    /// Edit each image separately and save the results in this folder under the images' names.
    /// Existing files are skipped.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["to", "explain"])]
    pub(in crate::cli) out_dir: Option<PathBuf>,
    /// The format of the results.
    #[arg(long, value_name = "FORMAT", value_parser = edit::format)]
    pub(in crate::cli) format: Option<OutputFormat>,
    /// The aspect ratio of the result, such as 3:2, or auto.
    #[arg(long, value_name = "WIDTH:HEIGHT")]
    pub(in crate::cli) aspect_ratio: Option<AspectRatio>,
    /// The size of the result in pixels, such as 1024x768.
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    pub(in crate::cli) size: Option<Size>,
    /// A font file for characters that the built-in fonts do not have; can be repeated.
    #[arg(long = "font", value_name = "FONT.ttf", conflicts_with = "server")]
    pub(in crate::cli) fonts: Vec<PathBuf>,
    /// Print the planned edits without making them. With --server, also the cost; nothing is charged.
    #[arg(long, conflicts_with = "to")]
    pub(in crate::cli) explain: bool,
    #[command(flatten)]
    pub(in crate::cli) server: ServerArguments,
    /// The server's model (default: the server's choice).
    #[arg(long, value_name = "MODEL", requires = "server")]
    pub(in crate::cli) model: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) output: Output,
}

#[derive(Debug, Args)]
#[command(after_help = "Your assistant runs this command; docs/mcp.md shows how to set it up.\n\n\
        Examples:\n  \
        retouch mcp\n  \
        retouch mcp --server https://edit.example.com --key-file ~/.retouch-key")]
pub(in crate::cli) struct McpArguments {
    #[command(flatten)]
    pub(in crate::cli) server: ServerArguments,
    /// A font file for characters that the built-in fonts do not have; can be repeated.
    #[arg(long = "font", value_name = "FONT.ttf", conflicts_with = "server")]
    pub(in crate::cli) fonts: Vec<PathBuf>,
}

/// A server, and the API key for it.
#[derive(Debug, Args)]
pub(in crate::cli) struct ServerArguments {
    /// The server that edits the images (default: the built-in editor on this machine, without a
    /// server or an account). Its API key is in the variable `RETOUCH_API_KEY`.
    #[arg(long, value_name = "URL")]
    pub(in crate::cli) server: Option<Url>,
    /// A file that contains the API key.
    #[arg(long, value_name = "FILE", requires = "server")]
    pub(in crate::cli) key_file: Option<PathBuf>,
}
