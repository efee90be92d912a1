//! The whole `mbfmu` command for models that use this crate's components.

use multibody_fmu::Library as _;

fn main() -> std::process::ExitCode {
    mbfmu::run(van_der_pol::Library::components(), "van_der_pol")
}
