//! The words that statements are recognized by.

/// Words before a statement that make it a reason.
pub(in crate::instruction) const SINCE: &[&str] =
    &["because", "cause", "cos", "as", "since", "sorry"];

/// Ways to say what there is.
pub(super) const THERE: &[&str] = &[
    "there is",
    "there are",
    "there was",
    "there were",
    "theres",
    "there seems to be",
    "there are still",
    "there is still",
    "theres still",
];

/// Words for how an image was taken.
pub(super) const TAKEN: &[&str] =
    &["shot", "taken", "scanned", "photographed", "captured", "snapped"];
/// Words that may follow those: where, when or with what.
pub(super) const TAKEN_AT: &[&str] = &[
    "at",
    "in",
    "on",
    "with",
    "by",
    "during",
    "last",
    "under",
    "through",
    "yesterday",
    "today",
    "indoors",
    "outdoors",
    "inside",
    "outside",
    "handheld",
    "late",
    "early",
];
/// Words that look like verbs of editing but only describe how an image was taken.
pub(super) const TAKEN_WORDS: &[&str] = &["taken", "took", "close", "open", "clean", "place"];

/// Words for the whole image. "Of" after any of them says what the image shows.
pub(in crate::instruction) const PICTURE_NAMES: &[&str] = &[
    "picture",
    "pictures",
    "image",
    "photo",
    "photos",
    "photograph",
    "pic",
    "snapshot",
    "shot",
    "scan",
    "screenshot",
    "selfie",
    "headshot",
    "snap",
];
/// Pronouns that refer to the image.
pub(super) const ABOUT_PICTURES: &[&str] = &["it", "this", "everything", "that"];

/// Words that begin the name of a thing if it has more than one word.
pub(super) const NAMES: &[&str] = &[
    "a",
    "an",
    "the",
    "this",
    "that",
    "these",
    "those",
    "my",
    "our",
    "his",
    "her",
    "their",
    "your",
    "some",
    "all",
    "its",
    "up",
    "someones",
    "somebodys",
];
/// Articles that may begin a statement about what an image shows: "a photo of our dog".
pub(super) const DETERMINERS: &[&str] = &["a", "an"];
/// Owners of what an image shows. Without one, "photo of a dragon" may ask for a dragon.
pub(super) const OURS: &[&str] = &["my", "our", "his", "her", "their"];

/// Articles before a purpose. "For my lamp" may limit an edit instead.
pub(super) const WHOSE: &[&str] = &["a", "an"];

/// Verbs of liking. They are statements only if the object is the whole image.
pub(super) const LOVES: &[&str] = &["love", "like", "loved"];
/// Pronouns for people who say something about themselves.
pub(super) const PEOPLE: &[&str] = &["i", "we", "you", "im", "ive", "weve", "were"];
/// What people say about themselves. None of it asks for anything.
pub(super) const PEOPLE_DEEDS: &[&str] = &[
    "took",
    "shot",
    "scanned",
    "photographed",
    "snapped",
    "was",
    "were",
    "had",
    "forgot",
    "hate",
    "know",
    "found",
    "bought",
    "am selling",
    "are selling",
    "selling",
    "am posting",
    "are posting",
    "posting",
    "am printing",
    "are printing",
    "printing",
    "am sending",
    "are sending",
    "sending",
    "cant see",
    "cannot see",
    "can not see",
    "can hardly see",
    "can barely see",
    "couldnt see",
    "could not see",
    "can see",
    "can read",
    "can post",
    "can print",
    "can send",
    "can use",
    "can upload",
    "can hang",
    "can frame",
    "can share",
    "can hardly make out",
    "can barely make out",
    "cant make out",
    "can not make out",
    "cannot make out",
    "couldnt make out",
    "cant read",
    "cannot read",
    "can hardly read",
    "can barely read",
    "hardly see",
    "barely see",
    "got",
    "inherited",
    "received",
    "printed",
    "posted",
    "need to read",
    "have to read",
    "came",
    "went",
    "visited",
];

/// Verbs that describe how things are.
pub(super) const STATES: &[&str] = &[
    "is", "are", "isnt", "arent", "was", "were", "wasnt", "werent", "looks", "look", "looked",
    "has", "have", "had", "seems", "seem", "seemed", "feels", "feel", "appears", "appear",
    "sounds",
];
/// Verbs for what happened or is happening. None of them can be a wish.
pub(super) const DEEDS: &[&str] = &[
    "came",
    "didnt",
    "took",
    "hurts",
    "shows",
    "contains",
    "includes",
    "distracts",
    "leaves",
    "leaks",
    "reflects",
    "covers",
    "blocks",
    "stands",
    "stood",
    "sits",
    "sat",
    "lies",
    "hangs",
    "fell",
    "falls",
    "belongs",
    "bothers",
    "shines",
    "shone",
    "says",
    "said",
    "ruins",
    "spoils",
    "leans",
    "tilts",
    "slopes",
    "makes",
];
/// Those of [`STATES`] that are in the past tense.
pub(super) const PAST_STATES: &[&str] =
    &["was", "were", "wasnt", "werent", "had", "looked", "seemed", "appeared"];
/// What an image does, after "so": "so that it loads quickly".
pub(super) const AIMS: &[&str] =
    &["loads", "fits", "prints", "works", "uploads", "matches", "suits"];
/// Verbs for what happened to something that is named after them.
pub(super) const PAST: &[&str] = &[
    "saved",
    "shot",
    "caught",
    "ruined",
    "spoiled",
    "messed",
    "scanned",
    "exported",
    "sent",
    "lost",
    "captured",
    "stored",
    "uploaded",
    "photographed",
    "mirrored",
    "flipped",
    "rotated",
    "turned",
    "cropped",
    "compressed",
    "overexposed",
    "underexposed",
    "had",
    "made",
];
/// Words after an "its" that means "it is".
pub(super) const ITS: &[&str] = &[
    "a", "an", "the", "for", "my", "our", "from", "of", "lying", "leaning", "hanging", "facing",
    "going", "getting",
];
