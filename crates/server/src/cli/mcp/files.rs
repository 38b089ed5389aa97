//! Files on this machine: images that an assistant names by their paths, and where results are saved.

use std::path::{Path, PathBuf};

use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};
use url::Url;

/// The argument with the path for the result.
pub(super) const SAVE_TO: &str = "save_to";

/// `tools` for an assistant that has files: each argument with images also accepts paths, and results
/// can be saved. What `images` may be is said by `accepted`.
pub(super) fn with_paths(tools: Vec<Tool>, accepted: &str) -> Vec<Tool> {
    tools.into_iter().map(|tool| with_path(tool, accepted)).collect()
}

fn with_path(mut tool: Tool, accepted: &str) -> Tool {
    let makes_image = matches!(&*tool.name, "edit_image" | "generate_image");
    let mut schema = JsonObject::clone(&tool.input_schema);
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        for (name, what) in [("images", "The images: each"), ("image", "The image:")] {
            if let Some(field) = fields.get_mut(name) {
                field["description"] = format!("{what} {accepted}").into();
            }
        }
        if makes_image {
            let path = json!({
                "type": "string",
                "description": "The path of a new file for the full result. Its extension must be \
                                .png, .jpg, .jpeg or .webp. Existing files are never overwritten.",
            });
            fields.insert(SAVE_TO.to_owned(), path);
        }
    }
    tool.input_schema = schema.into();
    tool
}

/// Takes the path for the result out of the arguments.
///
/// # Errors
/// If it is no text, or names a file that exists.
pub(super) fn take_save_to(arguments: &mut JsonObject) -> Result<Option<PathBuf>, String> {
    let Some(value) = arguments.remove(SAVE_TO).filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let text = value.as_str().ok_or_else(|| format!("`{SAVE_TO}` must be a path in a string."))?;
    let path = path(text);
    // Before the work, which may be charged.
    if path.exists() {
        return Err(format!("{} already exists. Choose another name.", path.display()));
    }
    if path.parent().is_some_and(|folder| folder != Path::new("") && !folder.is_dir()) {
        return Err(format!("The folder of {} does not exist.", path.display()));
    }
    Ok(Some(path))
}

/// Whether `image` is the path of a file, and neither an address nor the id of an upload.
pub(super) fn is_path(image: &str) -> bool {
    let scheme = image.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    let is_elsewhere = matches!(scheme.as_deref(), Some("http" | "https" | "data"));
    let is_upload = image.starts_with("upld_") && !Path::new(image).exists();
    !is_elsewhere && !is_upload
}

/// The path that `text` is, also as a `file:` address.
pub(super) fn path(text: &str) -> PathBuf {
    let address = Url::parse(text).ok().filter(|url| url.scheme() == "file");
    address.and_then(|url| url.to_file_path().ok()).unwrap_or_else(|| text.into())
}
