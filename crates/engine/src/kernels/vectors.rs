//! Uses vector instructions that only some machines of an architecture have.

/// Declares a function whose body is compiled a second time for the widest available vectors. On
/// x86-64 these are those of AVX2, in addition to SSE2, which every such machine has. Loops over
/// pixels then process twice as much at a time. The version is chosen at each call.
///
/// The results are the same everywhere, because the compiler may not reorder additions or change
/// rounding. Only functions that are inlined into the body benefit from the wider vectors.
macro_rules! vectorized {
    (
        $(#[$attribute:meta])*
        $seen:vis fn $name:ident<$life:lifetime $(, $generic:ident: $bound:path)*>(
            $($argument:ident: $type:ty),+ $(,)?
        ) $body:block
    ) => {
        $(#[$attribute])*
        $seen fn $name<$life $(, $generic: $bound)*>($($argument: $type),+) {
            struct Work<$life $(, $generic: $bound)*> {
                $($argument: $type),+
            }
            impl<$life $(, $generic: $bound)*> pulp::WithSimd for Work<$life $(, $generic)*> {
                type Output = ();

                #[inline(always)]
                fn with_simd<Units: pulp::Simd>(self, _: Units) {
                    let Self { $($argument),+ } = self;
                    $body
                }
            }
            pulp::Arch::new().dispatch(Work { $($argument),+ });
        }
    };
}

pub(crate) use vectorized;
