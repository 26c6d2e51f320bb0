package payspec;

import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** The tests of the package, without a framework: {@code java -cp … payspec.EngineTest}. */
public final class EngineTest {
    /** It expires in December 2030. */
    private static final byte[] CARD = utf8("{\"payment_type\":\"pay_in\",\"mode\":\"ACQUIRING\",\"cur\":\"RUB\",\"amount\":\"100.00\",\"subtype\":\"bank_card\",\"host2host\":true,"
            + "\"pay_in_details\":{\"card\":{\"card_holder\":\"IVAN PETROV\",\"card_number\":\"4111111111111111\",\"expiry_year\":2030,\"expiry_month\":12,"
            + "\"security_code\":\"123\"}}}");
    private static final byte[] BODY = utf8("{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\","
            + "\"cur\":\"RUB\",\"amount\":\"990.50\",\"merchant_id\":\"shop-42\",\"user_name\":\"Анна\"}");
    private static final String UID = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
    private static final String NOW = "2026-11-20T10:15:30.250Z";
    private static final String CHECKED = ",\"authorization\":\"checked_by_caller\"}";
    private static final String CONTEXT = "{\"uid\":\"" + UID + "\",\"now\":\"" + NOW + "\"" + CHECKED;

    private EngineTest() {}

    private interface Test {
        void run() throws Exception;
    }

    public static void main(String[] arguments) {
        if (arguments.length > 0) {
            System.out.println(failureToLoad());
            return;
        }
        Map<String, Test> tests = new LinkedHashMap<>();
        tests.put("validates a request", EngineTest::validated);
        tests.put("creates a payment", EngineTest::created);
        tests.put("builds contexts", EngineTest::contexts);
        tests.put("replays a stored record byte for byte", EngineTest::records);
        tests.put("has typed reports and outcomes", EngineTest::typed);
        tests.put("writes no body, header, or card number into texts for logs", EngineTest::logged);
        tests.put("answers any input of a client", EngineTest::sent);
        tests.put("throws caller errors", EngineTest::callerErrors);
        tests.put("runs every operation", EngineTest::operations);
        tests.put("returns the same answers in a batch", EngineTest::batches);
        tests.put("returns the unchanged JSON of a member", EngineTest::members);
        tests.put("shares an engine with threads while one closes it", EngineTest::threads);
        tests.put("frees an engine that is never closed", EngineTest::unreferenced);
        tests.put("puts code, path, and detail into the message", EngineTest::message);
        tests.put("never replaces a lone surrogate by a question mark", EngineTest::surrogates);
        tests.put("ignores an empty name of the library", EngineTest::library);
        tests.put("names the library of each platform", EngineTest::platforms);
        tests.put("deletes libraries that processes have left", EngineTest::unpacked);
        tests.put("reports a missing library", EngineTest::unloaded);
        int failed = 0;
        for (Map.Entry<String, Test> test : tests.entrySet()) {
            try {
                test.getValue().run();
            } catch (Exception | AssertionError error) {
                failed++;
                System.out.println(test.getKey() + ": " + error);
                error.printStackTrace(System.out);
            }
        }
        System.out.println("tests: " + (tests.size() - failed) + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void validated() {
        try (Engine engine = new Engine()) {
            same(true, engine.validateRequest(BODY, null).valid());
            same(true, engine.validateRequest(BODY, Instant.now()).valid());
            same(true, engine.accepts(BODY, null));
            same(List.of(), engine.validateRequest(BODY, null).violations());
            same(true, engine.accepts(CARD, null));
            for (int year : new int[] {2026, 2031}) {
                Instant now = Instant.parse(year + "-02-01T00:00:00Z");
                same(year == 2026, engine.validateRequest(CARD, now).valid());
                same(year == 2026, engine.accepts(CARD, now));
            }
            thrown("context", "/now", () -> engine.accepts(CARD, Instant.MAX));
        }
        try (Engine strict = new Engine("{\"currencies\":[\"USD\"]}")) {
            same(false, strict.accepts(BODY, null));
        }
    }

    private static void created() {
        try (Engine engine = new Engine()) {
            Answer answer = engine.createPayment(BODY, CONTEXT);
            same(201, answer.status());
            String body = answer.member("body").orElseThrow();
            same(NOW, Json.unquote(Json.member(body, "created_date").orElseThrow()));
        }
    }

    private static void contexts() {
        UUID uid = UUID.fromString(UID);
        Authorization checked = Authorization.checkedByCaller();
        try (Engine engine = new Engine()) {
            // OffsetDateTime.toString omits zero seconds, which a timestamp must have.
            OffsetDateTime minute = OffsetDateTime.of(2026, 11, 20, 13, 15, 0, 0, ZoneOffset.ofHours(3));
            Outcome outcome = engine.createPayment(BODY, CreateContext.of(uid, minute, checked));
            same(201, outcome.status());
            same("2026-11-20T10:15:00.000Z", Json.unquote(Json.member(outcome.body(), "created_date").orElseThrow()));
            CreateContext context = CreateContext.of(uid, Instant.parse(NOW), checked);
            same("992.00", Json.unquote(Json.member(engine.createPayment(BODY, context
                    .url("https://pay.example/p").form("acquiring.card").allowedMerchantIds(List.of("shop-42"))
                    .quote("RUB", new BigDecimal("92.45"), Instant.parse(NOW)).info("{\"bank\":\"x\"}")
                    .charges(new BigDecimal("1.5E+0"), null, null)).body(), "total").orElseThrow()));
            same(422, engine.createPayment(BODY, context.allowedMerchantIds(List.of())).status());
            same(455, engine.createPayment(BODY, context.merchantId("shop").refusal("no")).status());
            same(401, engine.createPayment(BODY, CreateContext.of(uid, context.now(), Authorization.header(null, true))).status());
            String lone = "a" + (char) 0xd800;
            CreateContext broken = CreateContext.of(uid, context.now(), Authorization.header("Bearer " + lone, true));
            same(401, engine.createPayment(BODY, broken).status());
            same(400, engine.createPayment(BODY, context.idempotency(lone, null)).status());
            same(404, engine.readPayment("7", null, checked).status());
            same(404, engine.readPayment(lone, null, checked).status());
            same(200, engine.readBalance("{\"cur\":\"RUB\"}", checked).status());
            same(200, engine.convert(BigDecimal.ONE, "RUB", new BigDecimal("92.45"), context.now(), context.now()).status());
            same(200, engine.advancePayment(outcome.body(), "routed", context.now()).status());
            List<Runnable> incomplete = List.of(() -> CreateContext.of(null, context.now(), checked),
                    () -> CreateContext.of(uid, (Instant) null, checked), () -> CreateContext.of(uid, context.now(), null),
                    () -> context.url(null), () -> context.idempotency(null, null));
            incomplete.forEach(call -> same("NullPointerException", failure(call)));
            try {
                CreateContext.of(null, context.now(), checked);
            } catch (NullPointerException error) {
                same("uid must not be null", error.getMessage());
            }
        }
    }

    private static void records() {
        CreateContext context = CreateContext.of(UUID.fromString(UID), Instant.parse(NOW), Authorization.checkedByCaller());
        try (Engine engine = new Engine()) {
            String key = engine.idempotencyKey("\"order-7\"").text("key").orElseThrow();
            Outcome first = engine.createPayment(BODY, context.idempotency(key, null));
            // Another program may have stored the payment in this form.
            String record = first.record(context.now()).orElseThrow().replace("\"payment\":{", "\"payment\":{ ");
            Outcome again = engine.createPayment(BODY, context.idempotency(key, record));
            same(List.of(201, true, "{ " + first.body().substring(1)), List.of(again.status(), again.replayed(), again.body()));
            same(true, again.record(context.now()).isEmpty());
            same(true, engine.createPayment(BODY, context).record(context.now()).isEmpty());
            same(true, engine.createPayment(new byte[0], context.idempotency(key, null)).record(context.now()).isEmpty());
            same(400, engine.idempotencyKey("a b\u00ff").outcome().status());
            same(true, engine.idempotencyKey(null).text("key").isEmpty());
        }
    }

    private static void typed() {
        try (Engine engine = new Engine()) {
            Report report = engine.validateRequest(utf8("{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"cur\":\"rub\"}"), null);
            same(List.of(false, "pay_in", "P2P"), List.of(report.valid(), report.variant().orElseThrow(), report.mode().orElseThrow()));
            Violation violation = report.violations().get(0);
            same(List.of("/cur", "currency_unknown", "error"), List.of(violation.path(), violation.code(), violation.severity()));
            same(true, !violation.message().isEmpty() && !violation.source().isEmpty());
            Violation syntax = engine.validateRequest(utf8("{"), null).violations().get(0);
            same(Map.of("line", BigDecimal.ONE, "column", BigDecimal.valueOf(2)), syntax.params());
            Answer rejected = engine.authorize(null);
            same(List.of(401, "Bearer"), List.of(rejected.outcome().status(), rejected.outcome().wwwAuthenticate().orElseThrow()));
            same("Invalid idempotency key", engine.idempotencyKey("").outcome().title().orElseThrow());
        }
    }

    private static void logged() {
        byte[] body = utf8(new String(BODY, StandardCharsets.UTF_8).replace("shop-42", "PLANTED"));
        Authorization authorization = Authorization.header("Bearer PLANTED", true);
        CreateContext context = CreateContext.of(UUID.fromString(UID), Instant.parse(NOW), authorization);
        try (Engine engine = new Engine()) {
            Answer answer = engine.call("create_payment", body, utf8(context.json()));
            same(true, answer.json().contains("PLANTED"));
            for (Object value : List.of(answer, answer.outcome(), authorization, context, engine,
                    engine.authorize("Bearer PLANTED"), engine.validateRequest(body, null))) {
                same(false, value.toString().contains("PLANTED"));
            }
        }
    }

    private static void sent() {
        List<byte[]> bodies = List.of(new byte[0], new byte[] {-1}, new byte[] {0}, utf8("[]"),
                utf8("{".repeat(100_000)), new byte[100_000]);
        try (Engine engine = new Engine()) {
            for (byte[] body : bodies) {
                same(false, engine.accepts(body, null));
                same(false, engine.validateRequest(body, null).valid());
                same(false, engine.createPayment(body, CONTEXT).accepted());
                same(false, engine.fingerprintRequest(body).accepted());
            }
        }
    }

    private static void callerErrors() {
        thrown("policy", "/colour", () -> new Engine("{\"colour\":\"blue\"}"));
        thrown("policy", "", () -> new Engine(""));
        Engine engine = new Engine();
        thrown("context", "/uid", () -> engine.createPayment(BODY, CONTEXT.replace(UID, "7")));
        thrown("argument", "/context", () -> engine.createPayment(BODY, (String) null));
        same("NullPointerException", failure(() -> engine.createPayment(BODY, (CreateContext) null)));
        thrown("argument", "/body", () -> engine.accepts(null, null));
        thrown("argument", "/body", () -> engine.redact(null));
        same("argument /context", failure(() -> engine.call("create_payment", BODY)));
        same("IllegalArgumentException", failure(() -> engine.call("createPayment", BODY)));
        same("IllegalArgumentException", failure(() -> engine.call("states", BODY)));
        engine.close();
        engine.close();
        thrown("closed", "", () -> engine.accepts(BODY, null));
        thrown("closed", "", () -> engine.validateRequest(BODY, null));
    }

    private static void operations() {
        try (Engine engine = new Engine()) {
            String payment = engine.createPayment(BODY, CONTEXT).member("body").orElseThrow();
            String quote = "{\"currency\":\"RUB\",\"rate\":\"92.45\",\"as_of\":\"" + NOW + "\"}";
            String fingerprint = engine.fingerprintRequest(BODY).member("fingerprint").orElseThrow();
            List<Answer> accepted = List.of(
                    engine.readPayment("{\"uid\":\"" + UID + "\",\"payment\":" + payment + CHECKED),
                    engine.readBalance("{\"balance\":{\"cur\":\"RUB\"}" + CHECKED),
                    engine.fieldCurrencies(utf8(payment)),
                    engine.convert("{\"amount\":\"1\",\"currency\":\"RUB\",\"quote\":" + quote + "}"),
                    engine.advancePayment("{\"payment\":" + payment + ",\"to\":\"routed\",\"at\":\"" + NOW + "\"}"),
                    engine.checkTransition("idle", "idle"),
                    engine.checkIdempotency(
                            "{\"now\":\"" + NOW + "\",\"fingerprint\":" + fingerprint + ",\"existing\":null}"),
                    engine.authorize("Bearer abc"),
                    engine.upgradeRequest("pay_in", BODY),
                    engine.downgradeRequest(BODY),
                    engine.upgradeBalance(utf8("{\"currency\":\"RUB\"}")),
                    engine.downgradeBalance(utf8("{\"cur\":\"RUB\"}")),
                    engine.upgradePayment(utf8(payment)),
                    engine.downgradePayment(utf8(payment)),
                    engine.cardInfo("4111"),
                    engine.comparePolicies("{\"before\":{\"currencies\":[\"RUB\"]}}"),
                    engine.states(), engine.rules(), engine.decisions(), engine.openapi());
            same(true, engine.checkPayment(utf8(payment), null).valid());
            same(true, engine.checkPayment(utf8(payment), BODY).valid());
            for (Answer answer : accepted) {
                same(true, answer.accepted());
                same('{', answer.json().charAt(0));
            }
            same("abc", engine.authorize("Bearer abc").text("token").orElseThrow());
            same(401, engine.authorize(null).status());
            same("Bearer", engine.authorize(null).text("www_authenticate").orElseThrow());
            same("{\"security_code\":\"***\"}", engine.redact(utf8("{\"security_code\":\"123\"}")));
            same("Анна", Json.unquote(Json.member(engine.redact(BODY), "user_name").orElseThrow()));
            same(3, Engine.version().split("\\.").length);
        }
    }

    private static void batches() {
        List<byte[]> bodies = List.of(BODY, new byte[0], utf8("{"), new byte[] {-1});
        try (Engine engine = new Engine()) {
            List<Answer> single = bodies.stream().map(body -> engine.call("validate_request", body, utf8(NOW))).toList();
            same(single, engine.batch("validate_request", bodies, utf8(NOW)));
            same(List.of(), engine.batch("redact", List.of(), null));
            same(false, engine.batch("redact", List.of(new byte[0]), null).get(0).accepted());
            thrown("argument", "/operation", () -> engine.batch("convert", bodies, null));
            thrown("argument", "/context", () -> engine.batch("create_payment", bodies, null));
            thrown("context", "/pointer", () -> engine.batch("locate", bodies, utf8("amount")));
        }
    }

    private static void members() {
        String info = "{\"n\":1.50e1,\"t\":\"\\\\\\\"\\u0041,}\",\"e\":{},\"a\":[]}";
        String stored = "{\"uid\":\"" + UID + "\",\"info\":" + info + "}";
        try (Engine engine = new Engine()) {
            Answer answer = engine.readPayment("{\"uid\":\"" + UID + "\",\"payment\":" + stored + CHECKED);
            same(stored, answer.member("body").orElseThrow());
            same("200", answer.member("status").orElseThrow());
            same(true, answer.member("uid").isEmpty());
        }
        String text = "\\ \" \n \u0001 é 💳";
        same(text, Json.unquote(Json.quote(text)));
    }

    private static void threads() throws InterruptedException {
        Engine engine = new Engine();
        AtomicInteger failures = new AtomicInteger();
        Function<Boolean, Thread> worker = valid -> new Thread(() -> {
            byte[] body = valid ? BODY : utf8("[]");
            try {
                for (int i = 0; i < 5000; i++) {
                    if (engine.validateRequest(body, null).valid() != valid || engine.accepts(body, null) != valid) {
                        failures.incrementAndGet();
                    }
                }
            } catch (PayspecException error) {
                if (!error.code().equals("closed")) {
                    failures.incrementAndGet();
                }
            }
        });
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            workers.add(worker.apply(i % 2 == 0));
        }
        workers.forEach(Thread::start);
        Thread.sleep(100);
        engine.close();
        for (Thread thread : workers) {
            thread.join();
        }
        same(0, failures.get());
    }

    private static void unreferenced() throws Exception {
        Field handle = Engine.class.getDeclaredField("handle");
        handle.setAccessible(true);
        List<Object> handles = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Engine unreferenced = new Engine();
            same(true, unreferenced.accepts(BODY, null));
            handles.add(handle.get(unreferenced));
        }
        Field address = handles.get(0).getClass().getDeclaredField("address");
        address.setAccessible(true);
        long end = System.nanoTime() + 20_000_000_000L;
        while (!handles.isEmpty() && System.nanoTime() < end) {
            System.gc();
            Thread.sleep(10);
            // A register or the stack may still contain the last one.
            for (Object one : List.copyOf(handles)) {
                if (address.getLong(one) == 0) {
                    handles.remove(one);
                }
            }
            if (handles.size() <= 1) {
                return;
            }
        }
        same(0, handles.size());
    }

    private static void message() {
        try {
            new Engine("{\"colour\":\"blue\"}");
        } catch (PayspecException error) {
            same("policy error at /colour: " + error.detail(), error.getMessage());
            same("payspec.PayspecException: " + error.getMessage(), error.toString());
            return;
        }
        throw new AssertionError("nothing was thrown");
    }

    private static void surrogates() {
        String lone = "a" + (char) 0xd800;
        thrown("utf8", "", () -> new Engine("{\"fingerprint_key\":\"" + lone + "\"}"));
        try (Engine engine = new Engine()) {
            String context = CONTEXT.replace("}", ",\"idempotency\":{\"key\":\"" + lone + "\",\"existing\":null}}");
            thrown("utf8", "", () -> engine.createPayment(BODY, context));
            thrown("utf8", "", () -> engine.checkIdempotency(context));
            thrown("utf8", "", () -> engine.cardInfo(lone));
            thrown("utf8", "", () -> engine.upgradeRequest(lone, BODY));
            thrown("context", "", () -> engine.checkTransition(lone, "idle"));
            same(401, engine.authorize("Bearer " + lone).status());
            same(401, engine.authorize("Bearer \ufffd").status());
            same(201, engine.createPayment(BODY, CONTEXT.replace("}", ",\"merchant_id\":\"💳\"}")).status());
        }
    }

    private static void library() {
        same(null, NativeLibrary.name(null, null));
        same(null, NativeLibrary.name("", ""));
        same("variable", NativeLibrary.name("", "variable"));
        same("property", NativeLibrary.name("property", "variable"));
    }

    private static void platforms() {
        String[][] names = {
            {"Linux", "amd64", "musl", "native/linux-x86_64-musl/libpayspec.so"},
            {"Linux", "aarch64", "glibc", "native/linux-aarch64-glibc/libpayspec.so"},
            {"Mac OS X", "x86_64", "unknown", "native/darwin-x86-64/libpayspec.dylib"},
            {"Mac OS X", "aarch64", "unknown", "native/darwin-aarch64/libpayspec.dylib"},
            {"Windows 11", "amd64", "unknown", "native/win32-x86-64/payspec.dll"},
            {"Windows Server 2025", "aarch64", "unknown", "native/win32-aarch64/payspec.dll"},
            {"FreeBSD", "riscv64", "unknown", "native/freebsd-riscv64-unknown/libpayspec.so"},
        };
        for (String[] name : names) {
            Platform platform = Platform.of(name[0], name[1], name[2]);
            same(name[3], platform.resource());
            same(true, platform.hint().endsWith(platform.file()));
        }
    }

    private static void unpacked() throws Exception {
        Path folder = Files.createTempDirectory("tests-");
        try (UnpackedLibrary first = new UnpackedLibrary(folder, "payspec.dll", new byte[] {1});
                UnpackedLibrary second = new UnpackedLibrary(folder, "payspec.dll", new byte[] {2})) {
            Files.setLastModifiedTime(first.path, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
            UnpackedLibrary.deleteOthers(folder, "payspec.dll");
            same(false, Files.exists(first.path.getParent()));
            same(2, (int) Files.readAllBytes(second.path)[0]);
            UnpackedLibrary library = new UnpackedLibrary(folder, "libpayspec.so", new byte[0]);
            library.close();
            same(false, Files.exists(library.path.getParent()));
        }
        // Both folders are deleted, so that theirs is empty.
        Files.delete(folder);
    }

    private static void unloaded() throws Exception {
        String missing = loadingOf("/none/libpayspec.so");
        same(true, missing.startsWith("libpayspec cannot be loaded: " + Platform.here().folder() + ": "));
        same(true, missing.contains("; searched /none/libpayspec.so; set the property payspec.library or "));
        String other = loadingOf("libc.so.6");
        same(true, other.startsWith("libpayspec cannot be loaded: ") && other.contains("payspec_abi_version"));
    }

    private static String failureToLoad() {
        try {
            return Engine.version();
        } catch (PayspecException error) {
            return error.getMessage();
        }
    }

    /** Returns the message of another process that loads this library. */
    private static String loadingOf(String library) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("java.class.path");
        // Java 24 and later warn about native code without this option.
        List<String> command = List.of(java, "--enable-native-access=ALL-UNNAMED", "-Dpayspec.library=" + library, "-cp", classes,
                "payspec.EngineTest", "load");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        same(0, process.waitFor());
        return output;
    }

    private static void thrown(String code, String path, Runnable call) {
        same(code + " " + path, failure(call));
    }

    /** Returns code and path of an exception. */
    private static String failure(Runnable call) {
        try {
            call.run();
        } catch (PayspecException error) {
            same(true, !error.detail().isEmpty() && error.number() <= 0);
            return error.code() + " " + error.path();
        } catch (RuntimeException error) {
            return error.getClass().getSimpleName();
        }
        return "nothing";
    }

    private static void same(Object expected, Object found) {
        if (!Objects.equals(expected, found)) {
            throw new AssertionError(found + " is not " + expected);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
