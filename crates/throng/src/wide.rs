//! Work with the widest vectors that the processor has, where it pays.

/// Makes a function of which there is a version for processors with vectors of 256 bits, too, and which of them runs is found out when it is called. What
/// it calls has to be inlined to be part of that. Both give the same bits: nothing is added in another order, and no product is
/// fused with a sum.
macro_rules! widest {
    ($(#[$lint:meta])* fn $name:ident($($value:ident: $type:ty),* $(,)?) $body:block) => {
        fn $name($($value: $type),*) {
            $(#[$lint])*
            #[inline(always)]
            fn any($($value: $type),*) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($value: $type),*) {
                    any($($value),*);
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    #[expect(unsafe_code, reason = "the line above has asked whether the processor can")]
                    unsafe {
                        wide($($value),*);
                    }
                    return;
                }
            }
            any($($value),*);
        }
    };
}
pub(crate) use widest;

/// The same with one more version, for processors with vectors of 512 bits: where lanes are many and their values stay in registers.
macro_rules! widest_of_all {
    (fn $name:ident($($value:ident: $type:ty),* $(,)?) $body:block) => {
        fn $name($($value: $type),*) {
            crate::wide::widest! {
                fn narrower($($value: $type),*) $body
            }

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
                fn wide($($value: $type),*) $body
                if std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512vl")
                    && std::arch::is_x86_feature_detected!("avx512dq")
                {
                    #[expect(unsafe_code, reason = "the lines above have asked whether the processor can")]
                    unsafe {
                        wide($($value),*);
                    }
                    return;
                }
            }
            narrower($($value),*);
        }
    };
}
pub(crate) use widest_of_all;
