//! The data: every row of the lexicon and of the frames has an example, and the passes do what their
//! examples say.

use retouch_engine::{Context, Plan, Refusal};
use retouch_language::{PASSES, frame_rows, read, rows};

/// Reads an example with as many images as it needs.
fn read_example(example: &str) -> Result<Plan, Refusal> {
    let with = |inputs| read(example, &Context { inputs, ..Context::default() });
    with(1)
        .or_else(|refusal| with(2).or_else(|_| with(4)).or_else(|_| with(0)).map_err(|_| refusal))
}

#[test]
fn every_row_of_the_lexicon_has_an_example_that_uses_it() {
    let mut wrong = Vec::new();
    for row in rows() {
        if row.category == "foreign" {
            continue;
        }
        let refused = matches!(row.category, "thing" | "model" | "vague" | "elsewhere");
        let said = row.example.to_lowercase().replace(['\'', '’'], "");
        // Examples may have British spelling and hyphens, as people do.
        let spelled = PASSES.iter().filter(|pass| matches!(pass.name, "variants" | "hyphens"));
        let spelled = spelled.fold(said.clone(), |said, pass| pass.apply(&said));
        let said = format!("{said} {spelled}");
        // A verb may be said in another form, so only its stem must be there.
        let stem = row.phrase.trim_end_matches('e');
        let uses = if row.category.ends_with('~') {
            said.contains(stem)
        } else {
            said.contains(row.phrase)
        };
        if !uses || read_example(row.example).is_ok() == refused {
            wrong.push(format!("{}: {} {} {:?}", row.file, row.phrase, row.category, row.example));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_frame_reads_its_example() {
    let wrong: Vec<_> = frame_rows()
        .filter(|frame| frame.example != "-")
        .filter(|frame| match read_example(frame.example) {
            Ok(_) => !frame.question.is_empty(),
            Err(refusal) => frame.question.is_empty() || !refusal.message.contains(frame.question),
        })
        .map(|frame| format!("{}: {}", frame.name, frame.example))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_pass_does_what_its_examples_say() {
    for pass in PASSES {
        for (before, after) in pass.examples {
            assert_eq!(pass.apply(before), *after, "{}", pass.name);
        }
    }
}
