//! Generates the wire contract's Rust from the .proto files, without `protoc`.

use std::path::{Path, PathBuf};
use std::{env, error::Error, fs};

use protox::prost::Message;

/// Where the .proto files are: beside this file in a project of its own, else in the Euchre Arena repository.
const FOLDERS: [&str; 2] = ["proto", "../../proto"];
const SERVICE: &str = "euchre/v1/referee.proto";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = FOLDERS
        .into_iter()
        .find(|folder| Path::new(folder).join(SERVICE).is_file())
        .ok_or_else(|| format!("{SERVICE} is in none of {FOLDERS:?}"))?;
    for entry in fs::read_dir(Path::new(folder).join("euchre/v1"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "proto") {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let descriptors = protox::compile([SERVICE], [folder])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;
    // The server is for tests: a referee in the same process.
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
