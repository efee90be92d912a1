//! The floating-point environment of the processor while a model computes.
//!
//! A host may trap floating-point exceptions, round upward or flush small numbers to zero. Models are compiled for the
//! default environment (IEEE 754: no traps, round to nearest, gradual underflow): a division by zero whose result is
//! never used would end a host that traps, and other roundings give other results. So every call computes in the
//! default environment and returns that of the host, which costs nothing where both are the same.

/// The default environment, until it is dropped.
pub(crate) struct DefaultEnvironment {
    /// Control register of the host, if it is not the default one.
    host: Option<Control>,
}

impl DefaultEnvironment {
    pub(crate) fn enter() -> Self {
        let host = control();
        if host & MEANING == DEFAULT & MEANING {
            return Self { host: None };
        }
        set_control(DEFAULT);
        Self { host: Some(host) }
    }
}

impl Drop for DefaultEnvironment {
    fn drop(&mut self) {
        if let Some(host) = self.host {
            set_control(host);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod register {
    //! MXCSR: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, section 10.2.3.
    use std::arch::asm;

    pub type Control = u32;
    /// All exceptions masked, round to nearest.
    pub const DEFAULT: Control = 0x1F80;
    /// All bits but those that only report exceptions.
    pub const MEANING: Control = 0xFFC0;

    pub fn control() -> Control {
        let mut value: Control = 0;
        // SAFETY: writes the register to four bytes that are there.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
        value
    }

    pub fn set_control(value: Control) {
        // SAFETY: the value is the default one or came out of the register, so no reserved bit is set.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod register {
    //! FPCR: Arm Architecture Reference Manual, D19.
    use std::arch::asm;

    pub type Control = u64;
    /// No traps, round to nearest, gradual underflow.
    pub const DEFAULT: Control = 0;
    pub const MEANING: Control = Control::MAX;

    pub fn control() -> Control {
        let value: Control;
        // SAFETY: reads a register.
        unsafe { asm!("mrs {}, fpcr", out(reg) value, options(nomem, nostack, preserves_flags)) };
        value
    }

    pub fn set_control(value: Control) {
        // SAFETY: the value is the default one or came out of the register.
        unsafe { asm!("msr fpcr, {}", in(reg) value, options(nomem, nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod register {
    //! Elsewhere the environment stays that of the host.
    pub type Control = u32;
    pub const DEFAULT: Control = 0;
    pub const MEANING: Control = 0;

    pub fn control() -> Control {
        DEFAULT
    }

    pub fn set_control(_: Control) {}
}

use register::{Control, DEFAULT, MEANING, control, set_control};

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    const ROUND_UP_AND_TRAP_DIVISION: Control = 0x5D80;

    #[test]
    fn the_default_environment_holds_inside_and_that_of_the_host_returns() {
        let before = control();
        set_control(ROUND_UP_AND_TRAP_DIVISION);
        let inside = {
            let _environment = DefaultEnvironment::enter();
            let zero = std::hint::black_box(0.0_f64);
            assert!((1.0 / zero).is_infinite());
            control() & MEANING
        };
        let after = control() & MEANING;
        set_control(before);
        assert_eq!((inside, after), (DEFAULT & MEANING, ROUND_UP_AND_TRAP_DIVISION & MEANING));
    }
}
