//! Compiles the logger that FMUs call: it takes a variable number of arguments, which stable Rust cannot.

fn main() {
    println!("cargo::rerun-if-changed=src/logger.c");
    cc::Build::new().file("src/logger.c").warnings_into_errors(true).compile("fmi2_host_logger");
}
