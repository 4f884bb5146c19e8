// Makes the types of the wire (src/generated) from the proto files, and puts the proto files, which the kit
// loads when it starts, beside the compiled code (dist/proto). Everything used comes with @grpc/proto-loader.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const project = join(dirname(fileURLToPath(import.meta.url)), "..");
// A project of its own has the contract inside; in the arena's repository it lies two folders up.
const contract = [join(project, "proto"), join(project, "..", "..", "proto")].find((folder) =>
  existsSync(join(folder, "euchre", "v1", "referee.proto")),
);
if (contract === undefined) {
  console.error("generate: no proto/euchre/v1/referee.proto here or two folders up; copy the arena's proto folder");
  process.exit(1);
}

const names = ["actions", "cards", "play", "referee", "variants"];
const generated = join(project, "src", "generated");
rmSync(generated, { recursive: true, force: true });
mkdirSync(generated, { recursive: true });

const loader = dirname(createRequire(import.meta.url).resolve("@grpc/proto-loader/package.json"));
const made = spawnSync(
  process.execPath,
  [
    join(loader, "build", "bin", "proto-loader-gen-types.js"),
    // The same choices as in src/kit/wire.ts, where the files are loaded.
    "--longs=String",
    "--defaults",
    "--oneofs",
    "--includeComments",
    "--grpcLib=@grpc/grpc-js",
    "--importFileExtension=.js",
    "--targetFileExtension=.ts",
    `--includeDirs=${contract}`,
    `--outDir=${generated}`,
    "euchre/v1/referee.proto",
  ],
  { stdio: ["ignore", "ignore", "inherit"] },
);
if (made.status !== 0) {
  console.error("generate: proto-loader-gen-types failed (above)");
  process.exit(1);
}

rmSync(join(project, "dist"), { recursive: true, force: true });
const beside = join(project, "dist", "proto", "euchre", "v1");
mkdirSync(beside, { recursive: true });
for (const name of names) {
  cpSync(join(contract, "euchre", "v1", `${name}.proto`), join(beside, `${name}.proto`));
}
