//! The order of the file is the order of the declaration.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use mbs_model::{MemoryFiles, parse};

#[test]
fn everything_keeps_the_order_in_which_it_was_written() {
    let names: Vec<String> = (0..200).map(|index| format!("n{}", index * 7919 % 1000)).collect();
    let parameters: String = names.iter().map(|name| format!("p_{name} = 1\n")).collect();
    let objects: String = names
        .iter()
        .map(|name| {
            format!("[objects.{name}]\nfree = true\n[sensors.s_{name}]\ntype = \"motion\"\nframe = \"{name}\"\n")
        })
        .collect();
    let model = parse(&format!("[parameters]\n{parameters}{objects}"), "m.toml", &mut MemoryFiles::new()).unwrap();
    let declaration = model.declaration;
    let read: Vec<&str> = declaration.content.objects.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(read, names);
    let sensors: Vec<String> = declaration.content.sensors.iter().map(|it| it.name.replace("s_", "")).collect();
    assert_eq!(sensors, names);
    let parameters: Vec<String> = declaration.parameters.iter().map(|it| it.name.replace("p_", "")).collect();
    assert_eq!(parameters, names);
}
