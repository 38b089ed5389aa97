//! The words that the shapes of statements are made of.

/// What may stand before a statement and makes it a reason.
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

/// How a picture was taken.
pub(super) const TAKEN: &[&str] =
    &["shot", "taken", "scanned", "photographed", "captured", "snapped"];
/// What follows that: where, when, with what.
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
/// Forms of verbs of editing that only tell how a picture was taken.
pub(super) const TAKEN_WORDS: &[&str] = &["taken", "took", "close", "open", "clean", "place"];

/// Words for a picture as a whole, behind any of which "of" says what it shows.
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
/// Pronouns that stand for the picture.
pub(super) const ABOUT_PICTURES: &[&str] = &["it", "this", "everything", "that"];

/// What the name of a thing in more than one word begins with.
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
/// What a picture may begin with that a statement tells the subject of.
pub(super) const DETERMINERS: &[&str] = &["a", "an"];
/// Whose a thing is that a picture shows: "photo of a dragon" may ask for one.
pub(super) const OURS: &[&str] = &["my", "our", "his", "her", "their"];

/// What stands before a purpose; "for my lamp" may limit an edit.
pub(super) const WHOSE: &[&str] = &["a", "an"];

/// What people like of a picture is all of it, or they ask for something.
pub(super) const LOVES: &[&str] = &["love", "like", "loved"];
/// Who tells something.
pub(super) const PEOPLE: &[&str] = &["i", "we", "you", "im", "ive", "weve", "were"];
/// What people tell of themselves: none of it asks for anything.
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

/// Verbs that say how things are.
pub(super) const STATES: &[&str] = &[
    "is", "are", "isnt", "arent", "was", "were", "wasnt", "werent", "looks", "look", "looked",
    "has", "have", "had", "seems", "seem", "seemed", "feels", "feel", "appears", "appear",
    "sounds",
];
/// Verbs that say what happened or goes on; none of them can be a wish.
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
/// Those verbs of a state that tell of what has been.
pub(super) const PAST_STATES: &[&str] =
    &["was", "were", "wasnt", "werent", "had", "looked", "seemed", "appeared"];
/// What a picture does, behind "so": "so that it loads quickly".
pub(super) const AIMS: &[&str] =
    &["loads", "fits", "prints", "works", "uploads", "matches", "suits"];
/// Verbs of what happened to something, which follows them.
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
/// What "its" may stand before where it means "it is".
pub(super) const ITS: &[&str] = &[
    "a", "an", "the", "for", "my", "our", "from", "of", "lying", "leaning", "hanging", "facing",
    "going", "getting",
];
