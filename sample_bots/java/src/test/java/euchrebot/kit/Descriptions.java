package euchrebot.kit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.util.JsonFormat;
import euchre.v1.Variants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The rule vectors and the variants' descriptions of the Euchre Arena repository. */
public final class Descriptions {
    static final Path VECTORS = Path.of("../../tests/vectors");

    private Descriptions() {}

    /** Returns a variant by its text; skips the test outside the repository. */
    public static Variant variant(String text) {
        Path file = VECTORS.resolve("variants").resolve(text + ".json");
        assumeTrue(Files.isDirectory(VECTORS), "the descriptions are part of the Euchre Arena repository");
        try {
            Variants.Variant.Builder message = Variants.Variant.newBuilder();
            JsonFormat.parser().merge(Files.readString(file), message);
            return new Variant(message.build());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** Returns the JSON files of a folder, sorted; skips the test outside the repository. */
    static List<Path> files(Path folder) throws IOException {
        assumeTrue(Files.isDirectory(folder), "the rule vectors are part of the Euchre Arena repository");
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.filter(path -> path.toString().endsWith(".json")).sorted().toList();
        }
    }
}
