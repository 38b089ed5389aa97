//! What is printed once requests are accepted: the ready line on standard output, and help for new
//! operators on standard error.

use std::io::{IsTerminal, Write};

use retouch_providers::built_in;
use retouch_store::{Database, PageRequest};

use crate::app::App;
use crate::auth::link;

/// What is printed instead of the link if standard error is not a terminal.
const HINT: &str = "No administrator yet. To become one, run `retouch admin link` with the \
                    settings of this server and open the link.\n";

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
    if output.is_terminal() {
        if let Some(address) = link::create(&app.store, &app.ids, &app.public_url).await? {
            let _ = write!(output, "{}", invitation(&address));
        }
    } else if app.store.list_administrators().await?.is_empty() {
        let _ = write!(output, "{HINT}");
    }
    Ok(())
}

fn text(app: &App, base: &str) -> String {
    let store = &app.settings.store;
    let data = match &store.database {
        Database::File(_) => format!("{} (database and stored images)", store.data_dir.display()),
        server => format!("{server}, stored images in {}", store.blobs),
    };
    let (models, first) = (served(app), first_account(app, base));
    format!(
        r#"
  Studio   {base}/
  Data     {data}
  Models   {models}
  Docs     {base}/docs

To try a first edit, paste this into another terminal, in the folder of the repository:

{first}
  # Edit the sample photo and save the result as edited.png
  printf '{{"instruction":"make it warmer, crop to 1:1 and add a white border of 20px","imageBase64":"%s"}}' \
    "$(base64 -w0 samples/coffee.jpg)" |
    curl -sS {base}/api/image-edit -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d @- |
    sed 's/.*"stored_images":\["\([^"]*\)".*/\1/' | xargs curl -sS -o edited.png

"#
    )
}

/// Commands that create an account and a key. If email is configured, a sign-up has to be confirmed,
/// so the operator creates the account instead.
fn first_account(app: &App, base: &str) -> String {
    let credits = app.catalogue.sign_up_credits;
    let commands = if app.sends_mail() {
        r#"  printf 'correct horse' | retouch account create --email me@example.com --password-stdin
  KEY=$(retouch key create --account me@example.com --name first --json |
    sed -n 's/.*"key": *"\([^"]*\)".*/\1/p')
"#
        .to_owned()
    } else {
        format!(
            r#"  curl -sS -c cookies.txt {base}/api/auth/sign-up -H 'Origin: {base}' \
    -H 'Content-Type: application/json' -d '{{"email":"me@example.com","password":"correct horse"}}'
  KEY=$(curl -sS -b cookies.txt {base}/api/keys -H 'Origin: {base}' \
    -H 'Content-Type: application/json' -d '{{"name":"first"}}' | sed 's/.*"key":"\([^"]*\)".*/\1/')
"#
        )
    };
    format!("  # Create an account ({credits} free credits) and an API key\n{commands}")
}

fn invitation(address: &str) -> String {
    format!(
        "No administrator yet. Open this link within 30 minutes to become one (it works once; \
         `retouch admin link` prints a new one):\n\n  {address}\n\n"
    )
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
    let configured: Vec<&str> = app.settings.providers.keys().map(String::as_str).collect();
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
