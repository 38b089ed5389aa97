//! Rules that every file of the repository must follow. Each rule is a small pure function in
//! `tidy/`, with a test that it finds what it forbids in a bad sample. `docs/style.md` gives the
//! reasons.

#[cfg(test)]
mod tidy {
    mod graph;
    mod links;
    mod manifest;
    mod migrations;
    mod plain_english;
    mod shape;
    mod source;
    mod text;
    mod tree;
    mod usage;

    use tree::{hold, hold_all};

    #[test]
    fn no_file_is_too_long() {
        hold(shape::file_length);
    }

    #[test]
    fn files_are_small_as_a_rule() {
        hold_all(shape::usual_length);
    }

    #[test]
    fn no_function_is_too_long() {
        hold(shape::function_length);
    }

    #[test]
    fn every_source_file_says_what_it_is_for() {
        hold(shape::described);
    }

    #[test]
    fn modules_stand_beside_their_folder() {
        hold(shape::module_name);
    }

    #[test]
    fn no_lint_is_silenced_without_a_reason() {
        hold(shape::silenced_lints);
    }

    #[test]
    fn only_slow_tests_are_left_out_of_the_inner_loop() {
        hold(shape::ignored_tests);
    }

    #[test]
    fn lines_end_where_their_text_ends() {
        hold(text::whitespace);
    }

    #[test]
    fn nothing_is_left_for_later() {
        hold(text::markers);
    }

    #[test]
    fn no_file_names_one_machine_or_a_package_registry() {
        hold(text::places);
    }

    #[test]
    fn what_people_read_is_plain_english() {
        hold(plain_english::plain);
    }

    #[test]
    fn no_file_is_heavy() {
        hold(text::weight);
    }

    #[test]
    fn crates_depend_on_each_other_as_drawn() {
        hold(graph::own_dependencies);
    }

    #[test]
    fn what_a_crate_owns_stays_in_it() {
        hold(graph::owned_dependencies);
    }

    #[test]
    fn versions_and_lints_stand_in_one_place() {
        hold(graph::inherits_the_workspace);
    }

    #[test]
    fn every_dependency_is_used() {
        hold_all(usage::unused_by_crates);
        hold_all(usage::unused_by_workspace);
    }

    #[test]
    fn deciding_and_pixels_touch_nothing_outside() {
        hold(graph::no_input_or_output);
    }

    #[test]
    fn migrations_are_numbered_without_gaps() {
        hold_all(migrations::numbering);
    }

    #[test]
    fn migrations_of_nodes_take_nothing_away_but_indexes() {
        hold_all(migrations::adding);
    }

    #[test]
    fn links_between_documents_lead_somewhere() {
        hold_all(links::broken);
    }
}
