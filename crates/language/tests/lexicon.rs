//! The data: every row of the lexicon and of the frames has an example, and the passes do what their
//! examples say.

use retouch_engine::video::VideoContext;
use retouch_engine::{Context, Refusal};
use retouch_language::{PASSES, frame_rows, read, read_video, rows};

/// Reads an example with as many images as it needs.
fn read_example(example: &str, is_of_video: bool) -> Result<(), Refusal> {
    if is_of_video {
        return read_video(example, &VideoContext { inputs: 1, ..VideoContext::default() })
            .map(drop);
    }
    let with = |inputs| read(example, &Context { inputs, ..Context::default() }).map(drop);
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
        if !uses || read_example(row.example, row.is_of_video()).is_ok() == refused {
            wrong.push(format!("{}: {} {} {:?}", row.file, row.phrase, row.category, row.example));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_frame_reads_its_example() {
    let wrong: Vec<_> = frame_rows()
        .filter(|frame| frame.question.is_empty())
        .filter(|frame| match frame.example.strip_prefix("! ") {
            Some(refused) => read_example(refused, frame.is_of_video).is_ok(),
            None => read_example(frame.example, frame.is_of_video).is_err(),
        })
        .map(|frame| format!("{}: {}", frame.name, frame.example))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_question_is_asked_by_its_example() {
    let wrong: Vec<_> = frame_rows()
        .filter(|frame| !frame.question.is_empty())
        .filter(|frame| {
            let read = |inputs| match frame.is_of_video {
                true => read_example(frame.example, true),
                false => read(frame.example, &Context { inputs, ..Context::default() }).map(drop),
            };
            let asks = |inputs| {
                read(inputs).is_err_and(|refusal| refusal.message.starts_with(frame.question))
            };
            ![1, 2, 0].into_iter().any(asks)
        })
        .map(|frame| format!("{}: {}", frame.example, frame.question))
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
