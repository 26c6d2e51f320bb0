package payspec;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The shared vectors: every call has the same answer as in the other bindings, byte for byte. {@code java -cp …
 * payspec.VectorsTest}, in this folder, or with the vectors' folder in PAYSPEC_VECTORS.
 */
public final class VectorsTest {
    private int passed;
    private int failed;
    private int together;

    private VectorsTest() {}

    public static void main(String[] arguments) throws IOException {
        String folder = System.getenv().getOrDefault("PAYSPEC_VECTORS", "../../tests/vectors");
        List<Path> files;
        try (Stream<Path> found = Files.walk(Path.of(folder), 2)) {
            files = found.filter(path -> path.toString().endsWith(".json")).sorted().toList();
        }
        VectorsTest test = new VectorsTest();
        for (Path file : files) {
            Map<?, ?> content = object(JsonReader.read(Files.readString(file)));
            test.run(content);
            test.runBatches(content);
        }
        System.out.println("vectors: " + test.passed + " passed, " + test.failed + " failed");
        System.exit(test.failed == 0 && test.passed > 0 && test.together > 1000 ? 0 : 1);
    }

    private void run(Map<?, ?> file) {
        for (Object each : (List<?>) file.get("vectors")) {
            Map<?, ?> vector = object(each);
            Result expected = expected(vector);
            Result found = call((String) file.get("operation"), vector);
            if (found.equals(expected)) {
                passed++;
            } else {
                failed++;
                System.out.println(vector.get("name") + ": " + found + "\nnot " + expected);
            }
        }
    }

    /** Operations whose first input is a body, and the number of their inputs. */
    private static final Map<String, Integer> WITH_BODY = Map.ofEntries(
            Map.entry("validate_request", 2), Map.entry("create_payment", 2), Map.entry("check_payment", 2),
            Map.entry("field_currencies", 1), Map.entry("fingerprint_request", 1), Map.entry("upgrade_payment", 1),
            Map.entry("downgrade_payment", 1), Map.entry("redact", 1), Map.entry("sign_webhook", 2),
            Map.entry("verify_webhook", 2), Map.entry("locate", 2), Map.entry("downgrade_request", 1),
            Map.entry("upgrade_balance", 1), Map.entry("downgrade_balance", 1));

    /** Vectors with the same policy and second input have the same answers in one batch. */
    private void runBatches(Map<?, ?> file) {
        String operation = (String) file.get("operation");
        Map<List<?>, List<Map<?, ?>>> batches = new LinkedHashMap<>();
        for (Object each : (List<?>) file.get("vectors")) {
            Map<?, ?> vector = object(each);
            List<?> inputs = (List<?>) vector.get("inputs");
            if (!inputs.isEmpty() && inputs.get(0) != null && inputs.size() <= WITH_BODY.getOrDefault(operation, 0)) {
                List<?> key = Arrays.asList(vector.get("policy"), inputs.size() < 2 ? null : inputs.get(1));
                batches.computeIfAbsent(key, none -> new ArrayList<>()).add(vector);
            }
        }
        batches.forEach((key, vectors) -> {
            List<Result> found = callTogether(operation, (String) key.get(0), bytes(key.get(1)), vectors);
            together += vectors.size();
            List<Result> expected = vectors.stream().map(VectorsTest::expected).toList();
            if (!found.equals(expected)) {
                failed++;
                System.out.println("a batch with " + vectors.get(0).get("name"));
            }
        });
    }

    private static List<Result> callTogether(String operation, String policy, byte[] shared, List<Map<?, ?>> vectors) {
        List<byte[]> bodies = vectors.stream().map(vector -> bytes(((List<?>) vector.get("inputs")).get(0))).toList();
        try (Engine engine = new Engine(policy)) {
            List<Answer> answers = engine.batch(operation, bodies, shared);
            return answers.stream().map(answer -> new Result(answer.accepted() ? 0 : 1, answer.json())).toList();
        } catch (PayspecException error) {
            return Collections.nCopies(vectors.size(), failure(error));
        }
    }

    private static Result expected(Map<?, ?> vector) {
        return new Result(((BigDecimal) vector.get("returns")).intValueExact(), (String) vector.get("answer"));
    }

    private static Result failure(PayspecException error) {
        String text = "{\"error\":{\"code\":" + Json.quote(error.code()) + ",\"path\":" + Json.quote(error.path())
                + ",\"message\":" + Json.quote(error.detail()) + "}}";
        return new Result(error.number(), text);
    }

    /** The return code and the buffer of the C function. */
    private record Result(int returns, String text) {}

    private static Result call(String operation, Map<?, ?> vector) {
        List<?> values = (List<?>) vector.get("inputs");
        byte[][] inputs = values.stream().map(VectorsTest::bytes).toArray(byte[][]::new);
        try (Engine engine = new Engine((String) vector.get("policy"))) {
            Answer answer = engine.call(operation, inputs);
            return new Result(answer.accepted() ? 0 : 1, answer.json());
        } catch (PayspecException error) {
            return failure(error);
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
