//! What is printed once requests are accepted: the ready line on standard output, and help for new
//! operators on standard error.

use std::io::{IsTerminal, Write};

use retouch_providers::built_in;
use retouch_store::{Database, PageRequest};

use super::command_line::retouch;
use crate::app::App;
use crate::auth::link;
use crate::config::{Origin, Settings, SignUpRule};

/// Prints the ready line. If there are no accounts, also prints commands for a first edit. If there is
/// no administrator, also prints how to become one.
pub(super) async fn print(app: &App) {
    let base = app.public_url.as_str().trim_end_matches('/');
    // A closed pipe must not stop the server.
    let _ = writeln!(std::io::stdout(), "Retouch {} is ready at {base}", env!("CARGO_PKG_VERSION"));
    let one = PageRequest { limit: 1, cursor: None };
    let nobody = app.store.list_accounts(&one).await.is_ok_and(|page| page.data.is_empty());
    if nobody {
        let _ = write!(std::io::stderr(), "{}", text(app, base));
    }
    let offered = offer_administration(app).await;
    if let Err(error) = offered {
        tracing::error!(%error, "could not create a link for the first administrator");
    }
}

/// Prints how to become the first administrator. The link itself goes only to a terminal, because log
/// collectors would keep it where others can read it.
async fn offer_administration(app: &App) -> Result<(), retouch_store::Error> {
    let mut output = std::io::stderr();
    let another = command(&app.settings, "admin link");
    if output.is_terminal() {
        if let Some(address) = link::create(&app.store, &app.ids, &app.public_url).await? {
            let _ = write!(output, "{}", invitation(&address, &another));
        }
    } else if app.store.list_administrators().await?.is_empty() {
        let _ = write!(
            output,
            "No administrator yet. To become one, open the link that this command prints:\n\n  \
             {another}\n\n"
        );
    }
    Ok(())
}

fn text(app: &App, base: &str) -> String {
    let store = &app.settings.store;
    let data = match &store.database {
        Database::File(_) => format!("{} (database and stored images)", store.data_dir.display()),
        server => format!("{server}, stored images in {}", store.blobs),
    };
    let (models, account, edit) = (served(app), first_account(app, base), first_edit(base));
    let credits = app.sign_up_credits();
    format!(
        r"
  Studio   {base}/
  Data     {data}
  Models   {models}
  Docs     {base}/docs

To try a first edit, paste this into another terminal. It creates the account me@example.com with
{credits} free credits and a new password, creates an API key, edits a sample photo, and saves the
result as edited.png.

{account}{edit}

"
    )
}

/// Commands that create an account and set KEY. The terminal generates the password, so that it is in
/// no log. A command of the operator also works where not everyone can sign up.
fn first_account(app: &App, base: &str) -> String {
    let password = "  PASSWORD=$(od -An -N8 -tx1 /dev/urandom | tr -d ' ')";
    let done = r#"echo "Account: me@example.com, password: $PASSWORD""#;
    if app.sends_mail() || app.live().settings.sign_up != SignUpRule::Open {
        let create =
            retouch(&app.settings, "account create --email me@example.com --password-stdin");
        let key = retouch(&app.settings, "key create --account me@example.com --name first");
        return format!(
            r#"{password}
  OUT=$(printf '%s' "$PASSWORD" | {create}) && {done} &&
    KEY=$({key}) &&
"#
        );
    }
    format!(
        r#"{password} COOKIES=$(mktemp)
  post() {{ curl -sS --fail-with-body -H 'Content-Type: application/json' -H 'Origin: {base}' "$@"; }}
  OUT=$(post -c "$COOKIES" {base}/api/auth/sign-up \
      -d '{{"email":"me@example.com","password":"'"$PASSWORD"'"}}') && {done} &&
    OUT=$(post -b "$COOKIES" {base}/api/keys -d '{{"name":"first"}}') &&
    KEY=$(printf '%s' "$OUT" | sed 's/.*"key":"\([^"]*\)".*/\1/') && rm "$COOKIES" &&
"#
    )
}

/// Commands that edit the sample photo with KEY. If one of them or of those before fails, the server's
/// message is printed.
fn first_edit(base: &str) -> String {
    format!(
        r#"    OUT=$(curl -sS --fail-with-body {base}/sample.jpg | base64 | tr -d '\n') &&
    OUT=$(printf '{{"instruction":"make it warmer, crop to 1:1 and add a white border of 20px","imageBase64":"%s"}}' "$OUT" |
      curl -sS --fail-with-body {base}/api/image-edit -H "Authorization: Bearer $KEY" \
        -H 'Content-Type: application/json' -d @-) &&
    OUT=$(printf '%s' "$OUT" | sed 's/.*"stored_images":\["\([^"]*\)".*/\1/') &&
    curl -fsS -o edited.png "$OUT" && echo "Saved edited.png" ||
    printf '%s\n' "$OUT" | sed 's/.*"message":"\([^"]*\)".*/\1/'"#
    )
}

fn invitation(address: &str, another: &str) -> String {
    format!(
        "No administrator yet. Open this link within 30 minutes to become one. It works once:\n\n  \
         {address}\n\nThis command prints a new link:\n\n  {another}\n\n"
    )
}

/// A command line for the operator.
fn command(settings: &Settings, arguments: &str) -> String {
    let (_, origin) = settings.database_origin();
    let command = retouch(settings, arguments);
    match (&settings.store.database, origin) {
        // The URL may contain a password.
        (Database::Server(_), Origin::Environment(name)) => {
            format!("{command}    (with {name} set as for this server)")
        }
        _ => command,
    }
}

/// How many models there are, and which providers they use.
fn served(app: &App) -> String {
    let models = &app.catalogue.models;
    let by_built_in = models.iter().filter(|model| {
        model
            .kinds
            .iter()
            .any(|kind| app.providers.names(model, *kind, app.clock.now()) == [built_in::NAME])
    });
    let live = app.live();
    let configured: Vec<&str> = live.providers.keys().map(String::as_str).collect();
    match (configured.is_empty(), by_built_in.count()) {
        (true, _) => {
            format!(
                "{} models, all using the built-in editor until you add a provider key",
                models.len()
            )
        }
        (false, 0) => format!("{} models, using {}", models.len(), configured.join(", ")),
        (false, rest) => format!(
            "{} models, using {}; {rest} of them use the built-in editor",
            models.len(),
            configured.join(", ")
        ),
    }
}
