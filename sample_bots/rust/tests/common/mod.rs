//! What tests share: variants from their descriptions in the Euchre Arena repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use euchre_kit::{Variant, wire};
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};

static DESCRIBED: LazyLock<MessageDescriptor> = LazyLock::new(|| {
    let pool = DescriptorPool::decode(wire::DESCRIPTORS).expect("the descriptors are whole");
    pool.get_message_by_name("euchre.v1.Variant").expect("there is Variant")
});

/// Returns the folder of the rule vectors.
pub fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors")
}

/// Returns what the referee says of a variant.
pub fn description(text: &str) -> wire::Variant {
    let path = vectors().join("variants").join(format!("{text}.json"));
    let content = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut json = serde_json::Deserializer::from_str(&content);
    let message = DynamicMessage::deserialize(DESCRIBED.clone(), &mut json).expect("it is a Variant");
    message.transcode_to().expect("the wire has the same fields")
}

/// Returns a variant.
pub fn variant(text: &str) -> Variant {
    Variant::new(description(text))
}
