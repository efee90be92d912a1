//! Compiles the logger that FMUs call: it takes a variable number of arguments, which stable Rust cannot.

fn main() {
    println!("cargo::rerun-if-changed=src/logger.c");
    // Asked for its version, zig complains about that of the C library in the name of the target, which means nothing.
    // So compilers speak only when something fails.
    if logger().cargo_warnings(false).try_compile(NAME).is_err() {
        logger().compile(NAME);
    }
}

const NAME: &str = "fmi2_host_logger";

fn logger() -> cc::Build {
    let mut build = cc::Build::new();
    build.file("src/logger.c").warnings_into_errors(true);
    build
}
