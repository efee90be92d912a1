//! The power function that SUNDIALS calls: that of the engine, with the same bits on every platform. Whatever else
//! SUNDIALS computes is exact.
//!
//! The linker takes a given `pow` before it searches the C library. An assembler's jump provides the name: with
//! `no_mangle` the library of an FMU would export the function.

use std::arch::global_asm;

/// `base^exponent`.
#[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), allow(dead_code))]
extern "C" fn power(base: f64, exponent: f64) -> f64 {
    elementary::pow(base, exponent)
}

/// Makes a function known by the name `pow` of C; `$jump` is the processor's word for it.
macro_rules! name_it_pow {
    ($jump:literal) => {
        #[cfg(target_vendor = "apple")]
        global_asm!(".text", ".p2align 4", ".globl _pow", "_pow:", concat!($jump, " {}"), sym power);
        #[cfg(not(target_vendor = "apple"))]
        global_asm!(".text", ".p2align 4", ".globl pow", "pow:", concat!($jump, " {}"), sym power);
    };
}

#[cfg(target_arch = "x86_64")]
name_it_pow!("jmp");
#[cfg(target_arch = "aarch64")]
name_it_pow!("b");

unsafe extern "C" {
    fn pow(base: f64, exponent: f64) -> f64;
}

/// For linkers that read every library once: they meet the name here, before SUNDIALS needs it.
pub(crate) fn link() {
    std::hint::black_box(pow as *const ());
}

#[cfg(test)]
mod tests {
    /// Arguments at which C libraries have other last bits.
    #[test]
    fn sundials_calls_the_power_function_of_the_engine() {
        for (base, exponent) in [(0.013, -0.25), (0.026, -1.0 / 3.0), (0.039, 0.3), (0.078, 1.5)] {
            // SAFETY: a function of two numbers, without state.
            let found = unsafe { sundials_sys::SUNRpowerR(base, exponent) };
            assert_eq!(found.to_bits(), elementary::pow(base, exponent).to_bits());
        }
    }
}
