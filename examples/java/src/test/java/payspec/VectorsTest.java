package payspec;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The shared vectors: every call gives the same answer as through the other bindings, byte for byte. {@code java -cp …
 * payspec.VectorsTest}, in this folder, or with the vectors' folder in PAYSPEC_VECTORS.
 */
public final class VectorsTest {
    private int passed;
    private int failed;

    private VectorsTest() {}

    public static void main(String[] arguments) throws IOException {
        String folder = System.getenv().getOrDefault("PAYSPEC_VECTORS", "../../tests/vectors");
        List<Path> files;
        try (Stream<Path> found = Files.walk(Path.of(folder), 2)) {
            files = found.filter(path -> path.toString().endsWith(".json")).sorted().toList();
        }
        VectorsTest test = new VectorsTest();
        for (Path file : files) {
            test.run(object(JsonReader.read(Files.readString(file))));
        }
        System.out.println("vectors: " + test.passed + " passed, " + test.failed + " failed");
        System.exit(test.failed == 0 && test.passed > 0 ? 0 : 1);
    }

    private void run(Map<?, ?> file) {
        for (Object each : (List<?>) file.get("vectors")) {
            Map<?, ?> vector = object(each);
            Result wanted = new Result(((BigDecimal) vector.get("returns")).intValueExact(), (String) vector.get("answer"));
            Result found = call((String) file.get("operation"), vector);
            if (found.equals(wanted)) {
                passed++;
            } else {
                failed++;
                System.out.println(vector.get("name") + ": " + found + "\nnot " + wanted);
            }
        }
    }

    /** What the C function returns and leaves in the buffer. */
    private record Result(int returns, String text) {}

    private static Result call(String operation, Map<?, ?> vector) {
        List<?> given = (List<?>) vector.get("inputs");
        byte[][] inputs = given.stream().map(VectorsTest::bytes).toArray(byte[][]::new);
        try (Engine engine = new Engine((String) vector.get("policy"))) {
            Answer answer = engine.call(operation, inputs);
            return new Result(answer.accepted() ? 0 : 1, answer.json());
        } catch (PayspecException error) {
            String text = "{\"error\":{\"code\":" + Json.quote(error.code()) + ",\"path\":" + Json.quote(error.path())
                    + ",\"message\":" + Json.quote(error.detail()) + "}}";
            return new Result(error.number(), text);
        }
    }

    /** An input is a text, null, or {"hex":"ff"}. */
    private static byte[] bytes(Object input) {
        if (input instanceof Map<?, ?> hex) {
            return HexFormat.of().parseHex((String) hex.get("hex"));
        }
        return input == null ? null : ((String) input).getBytes(StandardCharsets.UTF_8);
    }

    private static Map<?, ?> object(Object json) {
        return (Map<?, ?>) json;
    }
}
