//! Common English words, by what they say about an edit.

/// Words that say nothing about what to edit: grammar, politeness, and vague words.
const EMPTY: &str = "\
    a about actually all also an and another any anyway are as at be been bit but by can cause could \
    did different do does else etc for from get got had has have here hey hi how i if image images in \
    into is it its just kind kindly let lets like little ll love make makes me my new nice nicely of \
    off ok okay on one onto or other our out over photo photos pic pics picture pictures please pls plz \
    put re really s same should since so some something t than thank thanks that the their them then \
    there these they thing this those to too try up us very want was way we were what when where which \
    while will with would wanna you your";

/// More words that only English has, and people who ask for an edit often use.
const MORE: &str = "\
    add apply baby background black blue blur border boy brighter bring bottom camera car \
    cat change child clean clear clouds color colors convert copy corner create crop cut \
    dark darker day delete dog draw drop edge effect enhance erase extend eye eyes face faces fill find \
    fix flip fold forest frame friend friends front fun girl give glasses go gone gray green grey guy \
    hair half hand hands hat head heavy help hide hold house keep kid kids lady left less light lighter \
    long look looking looks lose lower man men merge mirror mix more move much need night no not nothing \
    object objects old only orange paint paste people person photoshop pink place pop purple raise red \
    reduce remove replace resize right rotate round scale shadow shape sharp sharpen sharper shirt show \
    side size sky skin small smile smooth soft square stack strip swap take teeth text throw tint top \
    tree trees trim turn type under use wall warm warmer wash watermark white who wide without woman \
    women write yellow yeet zoom";

/// Words about the file of the result, in most languages.
const FILE: &str = "\
    avif bmp cmyk dpi exif gif heic ico jpeg jpg kb mb metadata pdf png ppi psd raw svg tif tiff webp";

/// Words that begin a statement or a purpose.
const OPENING: &str = "\
    a an as because for he her his i it its my our she so that the their there these they this those \
    to we";

/// Words in which a statement may wish for something, and verbs of edits. "Don't" is two words.
const WISHES: &str = "\
    add away blur bring change clean clear cover crop cut delete disappear disappears don draw drop \
    edit erase except fix from get gets give go goes gone hide instead isn keep leave less lose make \
    mask mixed more move must need needs never no not off only out paint paste prefer put remove \
    replace rid should shouldn swap t take turn unless use vanish vanishes want wants wish without wo \
    won would";

/// Numbers as words, and as digits.
const NUMBERS: [(&str, &str); 20] = [
    ("two", "2"),
    ("twice", "2"),
    ("double", "2"),
    ("three", "3"),
    ("third", "3"),
    ("triple", "3"),
    ("four", "4"),
    ("quarter", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("twelve", "12"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("fifty", "50"),
    ("half", "50"),
    ("hundred", "100"),
];

/// Whether a word says nothing about what to edit.
pub(super) fn is_empty(word: &str) -> bool {
    is_in(EMPTY, word)
}

/// Whether a word shows that a text is English. Words of one or two letters don't: other languages
/// have them too.
pub(super) fn is_english(word: &str) -> bool {
    const CHARS_MIN: usize = 3;
    word.len() >= CHARS_MIN && is_common(word)
}

/// Whether a word is one of the common ones.
pub(super) fn is_common(word: &str) -> bool {
    is_empty(word) || is_in(MORE, word)
}

/// Whether a word says something about the file of the result.
pub(super) fn is_of_file(word: &str) -> bool {
    is_in(FILE, word)
}

/// Whether a word begins a statement or a purpose: "our choir sang there", "for the village hall".
pub(super) fn opens_statement(word: &str) -> bool {
    is_in(OPENING, word)
}

/// Whether a statement with this word may wish for something: "the people should be gone".
pub(super) fn is_wish(word: &str) -> bool {
    is_in(WISHES, word)
}

/// The digits of a number that is written as a word.
pub(super) fn digits(word: &str) -> Option<&'static str> {
    NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, digits)| *digits)
}

fn is_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}
