//! Words: refused with a quotation of themselves, or read into a plan whose words read back.

use crate::input::Input;
use retouch_engine::Context;
use retouch_engine::limits::INSTRUCTION_CHARS_MAX;
use retouch_engine::video::VideoContext;
use retouch_language::{read, read_video};

pub(crate) fn check(bytes: &[u8]) {
    let Some(input) = Input::of(bytes) else { return };
    let (inputs, words) = (usize::from(input.number(0, 5)), input.text);
    let context = Context { inputs, ..Context::default() };
    match read(words, &context) {
        Ok(plan) => {
            let rendered = plan.render();
            if rendered.chars().count() <= INSTRUCTION_CHARS_MAX {
                let again = read(&rendered, &context);
                let steps = again.map(|again| again.steps);
                assert_eq!(steps.as_ref(), Ok(&plan.steps), "{words:?} became {rendered:?}");
            }
        }
        Err(refusal) => {
            assert!(refusal.message.len() > 10, "{words:?}: {refusal}");
            let [start, end] = refusal.span;
            let quoted: String = words.chars().skip(start).take(end - start).collect();
            assert_eq!(quoted, refusal.words, "{words:?}");
            if let Some(nearest) = refusal.nearest {
                assert!(read(&nearest, &context).is_ok(), "{words:?}: {nearest:?} cannot be done");
            }
        }
    }
    let _ = read_video(words, &VideoContext { inputs, ..VideoContext::default() });
}
