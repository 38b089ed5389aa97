//! The service's own metrics, as it exposes them to Prometheus.

/// The sum of a metric over all its labels; 0 if it is missing.
pub(crate) fn sum(text: &str, name: &str) -> f64 {
    find(text, name).unwrap_or(0.0)
}

/// The sum of a metric over all its labels; none if it is missing.
pub(crate) fn find(text: &str, name: &str) -> Option<f64> {
    let values = text.lines().filter_map(|line| {
        let rest = line.strip_prefix(name)?;
        let rest = match rest.strip_prefix('{') {
            Some(labels) => labels.split_once('}')?.1,
            None => rest,
        };
        rest.strip_prefix(' ')?.parse::<f64>().ok()
    });
    values.fold(None, |sum, value| Some(sum.unwrap_or(0.0) + value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_summed_over_its_labels_and_no_other_is_taken_for_it() {
        let text =
            "# TYPE a counter\na_total{of=\"x\"} 2\na_total{of=\"y\"} 3\na_totally 9\nb 1.5\n";
        assert_eq!((sum(text, "a_total"), sum(text, "b"), sum(text, "c")), (5.0, 1.5, 0.0));
        assert_eq!((find("d 0\n", "d"), find(text, "c")), (Some(0.0), None));
    }
}
