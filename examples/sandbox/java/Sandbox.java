import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A payment service for tests: starts {@code payspec sandbox} once, and gives each test a merchant of its own.
 *
 * <p>A test class names it as {@code @ExtendWith(Sandbox.class)}, and its tests take a parameter {@link Merchant}. The
 * variable PAYSPEC_CLI names the program, if it is not on the PATH.
 */
public final class Sandbox implements ParameterResolver {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    /** Lines that the program prints when it accepts connections. */
    private static final int LINES = 5;
    private static final String MISSING =
        "payspec is not on the PATH: cargo install --path cli --locked, or set PAYSPEC_CLI to the program";

    /** A merchant, with payments, a clock, and faults of its own. Answers are JSON texts. */
    public record Merchant(String api, String name, String token, String webhookSecret) {
        /** Forgets payments, faults, deliveries, and the clock. */
        public void reset() {
            call("POST", "reset", null);
        }

        /** Returns the time of the clock. */
        public String now() {
            return member(call("GET", "clock", null), "now");
        }

        /** Stops the clock and advances it. Returns after everything that was due, callbacks included. */
        public String advance(long millis) {
            return member(call("POST", "clock", "{\"advance_ms\":" + millis + "}"), "now");
        }

        /** Returns the scenarios, each with the members of a request that select it, and its states. */
        public String scenarios() {
            return call("GET", "scenarios", null);
        }

        /** Selects the scenario of the next payment, with any members. */
        public void nextPayment(String scenario) {
            call("POST", "scenarios", "{\"name\":\"" + scenario + "\"}");
        }

        /** Makes the next calls fail, such as {@code {"count":2,"status":503}}, {@code {"drop":true}}, or {@code {"delay_ms":500}}. */
        public void failNext(String fault) {
            call("POST", "faults", fault);
        }

        /**
         * Answers as the payer at the page of the bank, "passed" or "failed", for a payment of the scenario challenge that
         * is routed. Returns the new state.
         */
        public String answerChallenge(String payment, String result) {
            return member(call("POST", "challenge/" + payment, "{\"result\":\"" + result + "\"}"), "state");
        }

        /** Returns the attempts to deliver the events of a payment. */
        public String deliveries(String payment) {
            return call("GET", "deliveries?payment=" + payment, null);
        }

        /** Delivers an event once more. */
        public String repeat(String event) {
            return call("POST", "deliveries/" + event + "/repeat", "{}");
        }

        /** Returns the payments, the newest first. */
        public String payments() {
            return call("GET", "payments", null);
        }

        private String call(String method, String path, String body) {
            return Sandbox.call(api, method, path, body, token);
        }
    }

    /** The process, which ends with the tests. */
    record Running(Process process, String api) implements ExtensionContext.Store.CloseableResource {
        @Override
        public void close() {
            process.destroy();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Merchant.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        var store = context.getRoot().getStore(ExtensionContext.Namespace.create(Sandbox.class));
        var running = (Running) store.getOrComputeIfAbsent("sandbox", key -> start());
        var name = merchantName(context.getRequiredTestMethod().getName());
        var created = call(running.api(), "POST", "merchants", "{\"name\":\"" + name + "\"}", null);
        var merchant = new Merchant(running.api(), name, member(created, "token"), member(created, "webhook_secret"));
        merchant.reset();
        merchant.advance(0);
        return merchant;
    }

    /**
     * Returns the name of the merchant of a test: at most 64 letters, digits, and {@code -_.}. A hash keeps names apart that
     * had to be changed.
     */
    static String merchantName(String test) {
        if (test.matches("[\\w.-]{1,64}")) {
            return test;
        }
        var plain = test.replaceAll("[^\\w.-]", "-");
        var hash = UUID.nameUUIDFromBytes(test.getBytes(StandardCharsets.UTF_8)).toString().substring(0, 8);
        return plain.substring(0, Math.min(plain.length(), 55)) + "-" + hash;
    }

    private static Running start() {
        return start(System.getenv("PAYSPEC_CLI"));
    }

    /** Starts a program, or {@code payspec} of the PATH if it is null. */
    static Running start(String program) {
        try {
            var builder = new ProcessBuilder(program == null ? "payspec" : program, "sandbox", "--listen", "127.0.0.1:0");
            var process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            Map<String, String> lines = new HashMap<>();
            for (var number = 0; number < LINES; number++) {
                var line = out.readLine();
                if (line == null) {
                    throw new IllegalStateException("the sandbox has ended");
                }
                var parts = line.split(": ", 2);
                lines.put(parts[0], parts[1]);
            }
            return new Running(process, lines.get("api"));
        } catch (IOException error) {
            throw new IllegalStateException(program == null ? MISSING : "PAYSPEC_CLI: cannot start " + program, error);
        }
    }

    private static String call(String api, String method, String path, String body, String token) {
        var publisher = body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        var request = HttpRequest.newBuilder(URI.create(api + "/sandbox/" + path)).method(method, publisher);
        request.header("Content-Type", "application/json");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            var response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw new IllegalArgumentException(member(response.body(), "detail"));
            }
            return response.body();
        } catch (IOException error) {
            throw new IllegalStateException("the sandbox does not answer", error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", error);
        }
    }

    /** Returns the first member with a name that is a text without escapes. */
    static String member(String json, String name) {
        Matcher found = Pattern.compile("\"" + Pattern.quote(name) + "\":\"([^\"\\\\]*)\"").matcher(json);
        if (!found.find()) {
            throw new IllegalStateException("no text " + name);
        }
        return found.group(1);
    }
}
