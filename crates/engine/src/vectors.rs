//! Uses vector instructions that only some machines of an architecture have.

/// Declares a function whose body is compiled a second time for the widest vectors at hand (AVX2 on
/// x86-64, beside the SSE2 that every such machine has), so that loops over pixels run twice as
/// wide; which one runs is decided at the call.
///
/// The results are the same everywhere: nothing lets the compiler add in another order or round in
/// another way. What the body calls has to be inlined into it to count.
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
