package payspec;

import java.io.ByteArrayOutputStream;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongFunction;

/**
 * An engine is created from a policy and never changes. Any number of threads may share it.
 *
 * <p>Input of a client never causes an exception: the answer is a report, or an outcome with the status to send. A
 * {@link PayspecException} is a caller error. Bodies are the received bytes; contexts are JSON.
 */
public final class Engine implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    /** PAYSPEC_ERROR_UTF8 of payspec.h. */
    private static final int UTF8 = -2;
    private static final byte[] REPLACEMENT = "\ufffd".getBytes(StandardCharsets.UTF_8);

    private final Calls library = NativeLibrary.get();
    private final Handle handle;
    private final Cleaner.Cleanable cleanable;

    /** Creates an engine with the default policy. */
    public Engine() {
        this(null);
    }

    /**
     * Creates an engine from a policy in JSON, or from the default policy if it is null.
     *
     * @param policy the policy as JSON; null for the default policy
     */
    public Engine(String policy) {
        long[] engine = new long[1];
        Calls.Result result = library.newEngine(bytes(policy), engine);
        if (result.number() < 0) {
            throw PayspecException.of(result.number(), result.text());
        }
        handle = new Handle(library, engine[0]);
        cleanable = CLEANER.register(this, handle);
    }

    /** Frees the engine after the last call that is running. Later calls throw. It may be called twice. */
    @Override
    public void close() {
        cleanable.clean();
    }

    /** {@return the version of the library} */
    public static String version() {
        return NativeLibrary.get().version();
    }

    /**
     * {@return only the verdict of {@link #validateRequest}, which is faster} Expired cards are rejected unless {@code now} is
     * null.
     *
     * @param body the body, with any content
     * @param now the current time, or null
     */
    public boolean accepts(byte[] body, Instant now) {
        byte[] time = now == null ? null : bytes(now.toString());
        int number = use(engine -> library.verdict(engine, body, time));
        return number >= 0 ? number == 0 : call("validate_request", body, time).accepted();
    }

    /**
     * Validates a creation request. Expired cards are detected unless {@code now} is null.
     *
     * @param body the body, with any content
     * @param now the current time, or null
     * @return the report
     */
    public Report validateRequest(byte[] body, Instant now) {
        return Report.of(call("validate_request", body, now == null ? null : bytes(now.toString())));
    }

    /**
     * {@return the exact response to POST /v1/payments/new}
     *
     * @param body the body, with any content
     * @param context the context of the operation as JSON
     */
    public Outcome createPayment(byte[] body, CreateContext context) {
        return Outcome.of(createPayment(body, CreateContext.required(context, "context").json()));
    }

    /**
     * {@return the exact response to GET /v1/payments/{uid}/status}
     *
     * @param uid the text in the path, which may be no UUID: the answer is 404
     * @param payment the stored payment as JSON; null if it does not exist
     * @param authorization the result of the check of the token
     */
    public Outcome readPayment(String uid, String payment, Authorization authorization) {
        return Outcome.of(readPayment(CreateContext.object(Map.of(
                "uid", Json.quoteHeader(CreateContext.required(uid, "uid")),
                "payment", payment == null ? "null" : payment,
                "authorization", CreateContext.required(authorization, "authorization").json()))));
    }

    /**
     * {@return the exact response to GET /v1/partner/balance}
     *
     * @param balance a JSON object with at least {@code cur}
     * @param authorization the result of the check of the token
     */
    public Outcome readBalance(String balance, Authorization authorization) {
        return Outcome.of(readBalance(CreateContext.object(Map.of(
                "balance", CreateContext.required(balance, "balance"),
                "authorization", CreateContext.required(authorization, "authorization").json()))));
    }

    /**
     * Converts a fiat amount to USDT at a rate, the price of 1 USDT.
     *
     * @param amount the amount
     * @param currency the code of the currency (ISO 4217)
     * @param rate the price of 1 USDT in the currency
     * @param asOf the time of the rate
     * @param now the current time
     * @return the outcome
     */
    public Outcome convert(BigDecimal amount, String currency, BigDecimal rate, Instant asOf, Instant now) {
        return Outcome.of(convert(CreateContext.object(Map.of(
                "amount", CreateContext.decimal(CreateContext.required(amount, "amount")),
                "currency", Json.quote(CreateContext.required(currency, "currency")),
                "quote", CreateContext.quoteOf(currency, rate, asOf),
                "now", Json.quote(CreateContext.required(now, "now").toString())))));
    }

    /**
     * Applies a transition that needs no amount and no reason to a stored payment; the others take a context.
     *
     * @param payment the stored payment as JSON
     * @param to the state to move to
     * @param at the time of the transition
     * @return the outcome
     */
    public Outcome advancePayment(String payment, String to, Instant at) {
        return Outcome.of(advancePayment(CreateContext.object(Map.of(
                "payment", CreateContext.required(payment, "payment"),
                "to", Json.quote(CreateContext.required(to, "to")),
                "at", Json.quote(CreateContext.required(at, "at").toString())))));
    }

    /**
     * {@return the exact response to POST /v1/payments/new}
     *
     * @param body the body, with any content
     * @param context the context of the operation as JSON
     */
    public Answer createPayment(byte[] body, String context) {
        return call("create_payment", body, bytes(context));
    }

    /**
     * {@return the exact response to GET /v1/payments/{uid}/status}
     *
     * @param context the context of the operation as JSON
     */
    public Answer readPayment(String context) {
        return call("read_payment", bytes(context));
    }

    /**
     * {@return the exact response to GET /v1/partner/balance}
     *
     * @param context the context of the operation as JSON
     */
    public Answer readBalance(String context) {
        return call("read_balance", bytes(context));
    }

    /**
     * Reports if it is a valid Payment, and if it matches that request, which may be null.
     *
     * @param body the body, with any content
     * @param request the body of the request, or null
     * @return the report
     */
    public Report checkPayment(byte[] body, byte[] request) {
        return Report.of(call("check_payment", body, request));
    }

    /**
     * {@return the currency of each amount of a Payment}
     *
     * @param body the body, with any content
     */
    public Answer fieldCurrencies(byte[] body) {
        return call("field_currencies", body);
    }

    /**
     * Converts a fiat amount to USDT.
     *
     * @param context the context of the operation as JSON
     * @return the answer
     */
    public Answer convert(String context) {
        return call("convert", bytes(context));
    }

    /**
     * Applies a transition to a stored Payment, or returns a 409 outcome.
     *
     * @param context the context of the operation as JSON
     * @return the answer
     */
    public Answer advancePayment(String context) {
        return call("advance_payment", bytes(context));
    }

    /**
     * {@return the verdict on a transition between two states}
     *
     * @param from the current state
     * @param to the state to move to
     */
    public Answer checkTransition(String from, String to) {
        String context = "{\"from\":" + Json.quote(from) + ",\"to\":" + Json.quote(to) + "}";
        return call("check_transition", bytes(context));
    }

    /**
     * Compares the requests that two policies accept.
     *
     * @param context the policies {@code before} and {@code after} as JSON; one that is missing is the default policy
     * @return the relation, and the differences with a request for each that exactly one of the two policies accepts
     */
    public Answer comparePolicies(String context) {
        return call("compare_policies", bytes(context));
    }

    /** {@return the table of states} */
    public Answer states() {
        return call("states");
    }

    /**
     * {@return the verdict on a repeated idempotency key}
     *
     * @param context the context of the operation as JSON
     */
    public Answer checkIdempotency(String context) {
        return call("check_idempotency", bytes(context));
    }

    /**
     * {@return the key of an Idempotency-Key header, which is null if the request has none; or the 400 outcome}
     *
     * @param header the content of the header; null if the request has none
     */
    public Answer idempotencyKey(String header) {
        return call("idempotency_key", clientText(header));
    }

    /**
     * Signs a webhook, and returns the headers to send with it.
     *
     * @param body the body, with any content
     * @param context the context of the operation as JSON
     * @return the answer
     */
    public Answer signWebhook(byte[] body, String context) {
        return call("sign_webhook", body, bytes(context));
    }

    /**
     * Verifies the signature and the time of a received webhook.
     *
     * @param body the body, with any content
     * @param context the context of the operation as JSON
     * @return the answer
     */
    public Answer verifyWebhook(byte[] body, String context) {
        return call("verify_webhook", body, bytes(context));
    }

    /**
     * {@return a value that is the same for every spelling of a request}
     *
     * @param body the body, with any content
     */
    public Answer fingerprintRequest(byte[] body) {
        return call("fingerprint_request", body);
    }

    /**
     * {@return the token of an Authorization header, which is null if the request has none; or the 401 outcome}
     *
     * @param header the content of the header; null if the request has none
     */
    public Answer authorize(String header) {
        return call("authorize", clientText(header));
    }

    /**
     * Migrates a request of the legacy API. The kind is pay_in or pay_out.
     *
     * @param kind {@code pay_in} or {@code pay_out}
     * @param body the body, with any content
     * @return the answer
     */
    public Answer upgradeRequest(String kind, byte[] body) {
        return call("upgrade_request", bytes(kind), body);
    }

    /**
     * Migrates a request to the legacy API.
     *
     * @param body the body, with any content
     * @return the answer
     */
    public Answer downgradeRequest(byte[] body) {
        return call("downgrade_request", body);
    }

    /**
     * Migrates a balance of the legacy API.
     *
     * @param body the body, with any content
     * @return the answer
     */
    public Answer upgradeBalance(byte[] body) {
        return call("upgrade_balance", body);
    }

    /**
     * Migrates a balance to the legacy API.
     *
     * @param body the body, with any content
     * @return the answer
     */
    public Answer downgradeBalance(byte[] body) {
        return call("downgrade_balance", body);
    }

    /**
     * Migrates a Payment of the legacy API.
     *
     * @param body the body, with any content
     * @return the answer
     */
    public Answer upgradePayment(byte[] body) {
        return call("upgrade_payment", body);
    }

    /**
     * Migrates a Payment to the legacy API.
     *
     * @param body the body, with any content
     * @return the answer
     */
    public Answer downgradePayment(byte[] body) {
        return call("downgrade_payment", body);
    }

    /**
     * {@return the body, safe to log; a body that is not JSON is replaced by its report, which is safe as well}
     *
     * @param body the body, with any content
     */
    public String redact(byte[] body) {
        return call("redact", body).json();
    }

    /**
     * {@return a text, such as a line of a log, safe to log}
     *
     * @param text the text
     */
    public String redactText(String text) {
        return call("redact_text", bytes(text)).json();
    }

    /**
     * {@return the byte range, line, and column of the value at a JSON Pointer; rejected if there is no such value}
     *
     * @param body the body, with any content
     * @param pointer the JSON Pointer (RFC 6901)
     */
    public Answer locate(byte[] body, String pointer) {
        return call("locate", body, bytes(pointer));
    }

    /**
     * {@return the scheme and format of a card number, also while it is typed}
     *
     * @param digits the digits, with or without spaces
     */
    public Answer cardInfo(String digits) {
        return call("card_info", bytes(digits));
    }

    /** {@return the catalog of violation codes} */
    public Answer rules() {
        return call("rules");
    }

    /** {@return the decisions on questions that the specification leaves open} */
    public Answer decisions() {
        return call("decisions");
    }

    /** {@return an OpenAPI 3.1 document of the interface} */
    public Answer openapi() {
        return call("openapi");
    }

    /**
     * Calls an operation by its name ({@code create_payment}). The inputs are those of the C function, in order; an
     * optional input may be null or omitted.
     *
     * @param operation the name of the operation
     * @param inputs the inputs, in order
     * @return the answer
     */
    public Answer call(String operation, byte[]... inputs) {
        Integer most = OPERATIONS.get(operation);
        if (most == null || inputs.length > most) {
            throw new IllegalArgumentException(most == null
                    ? "there is no operation " + operation
                    : operation + " takes " + most + " inputs, not " + inputs.length);
        }
        byte[] first = inputs.length > 0 ? inputs[0] : null;
        byte[] second = inputs.length > 1 ? inputs[1] : null;
        Calls.Result result = use(engine -> library.call(operation, most, engine, first, second));
        if (result.number() < 0) {
            throw PayspecException.of(result.number(), result.text());
        }
        return new Answer(result.number() == 0, new String(result.text(), StandardCharsets.UTF_8));
    }

    /**
     * Runs an operation whose first input is a body ({@code validate_request}) with each of the bodies, and returns the
     * answers in their order. The bodies share the second input, which is parsed once and may be null; if it is invalid,
     * no body is read.
     *
     * @param operation the name of the operation
     * @param bodies the bodies
     * @param context the second input of the operation; null if it has none
     * @return the answers, in the order of the bodies
     */
    public List<Answer> batch(String operation, List<byte[]> bodies, byte[] context) {
        int count = bodies.size();
        long[] offsets = new long[count + 1];
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            data.writeBytes(bodies.get(i));
            offsets[i + 1] = data.size();
        }
        byte[] name = bytes(operation);
        // JNA cannot pass an empty array.
        byte[] returns = new byte[Math.max(count, 1)];
        byte[] all = data.size() == 0 ? new byte[1] : data.toByteArray();
        long[] ends = new long[count + 1];
        Calls.Result result = use(engine -> library.batch(engine, name, all, offsets, context, returns, ends));
        if (result.number() < 0) {
            throw PayspecException.of(result.number(), result.text());
        }
        List<Answer> answers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            byte[] answer = Arrays.copyOfRange(result.text(), Math.toIntExact(ends[i]), Math.toIntExact(ends[i + 1]));
            if (returns[i] < 0) {
                // The library panicked.
                throw PayspecException.of(returns[i], answer);
            }
            answers.add(new Answer(returns[i] == 0, new String(answer, StandardCharsets.UTF_8)));
        }
        return answers;
    }

    /** The number of inputs of each operation. */
    private static final Map<String, Integer> OPERATIONS = Map.ofEntries(
            Map.entry("validate_request", 2),
            Map.entry("create_payment", 2),
            Map.entry("read_payment", 1),
            Map.entry("read_balance", 1),
            Map.entry("check_payment", 2),
            Map.entry("field_currencies", 1),
            Map.entry("convert", 1),
            Map.entry("advance_payment", 1),
            Map.entry("check_transition", 1),
            Map.entry("states", 0),
            Map.entry("check_idempotency", 1),
            Map.entry("idempotency_key", 1),
            Map.entry("fingerprint_request", 1),
            Map.entry("authorize", 1),
            Map.entry("upgrade_request", 2),
            Map.entry("downgrade_request", 1),
            Map.entry("upgrade_balance", 1),
            Map.entry("downgrade_balance", 1),
            Map.entry("upgrade_payment", 1),
            Map.entry("downgrade_payment", 1),
            Map.entry("redact", 1),
            Map.entry("redact_text", 1),
            Map.entry("sign_webhook", 2),
            Map.entry("verify_webhook", 2),
            Map.entry("locate", 2),
            Map.entry("card_info", 1),
            Map.entry("compare_policies", 1),
            Map.entry("rules", 0),
            Map.entry("decisions", 0),
            Map.entry("openapi", 0));

    private <T> T use(LongFunction<T> call) {
        try {
            return handle.use(call);
        } finally {
            // After its handle is read, the engine can be garbage, and the cleaner could close it during the call.
            Reference.reachabilityFence(this);
        }
    }

    /** Encodes a text of the caller. A lone surrogate is a caller error and must not become a question mark. */
    private static byte[] bytes(String text) {
        return encode(text, CodingErrorAction.REPORT);
    }

    /** Encodes a text of a client. A lone surrogate becomes U+FFFD, which no token contains: the library answers 401 or 400. */
    private static byte[] clientText(String text) {
        return encode(text, CodingErrorAction.REPLACE);
    }

    private static byte[] encode(String text, CodingErrorAction malformed) {
        if (text == null) {
            return null;
        }
        try {
            ByteBuffer out = StandardCharsets.UTF_8.newEncoder()
                    .replaceWith(REPLACEMENT)
                    .onMalformedInput(malformed)
                    .encode(CharBuffer.wrap(text));
            return Arrays.copyOf(out.array(), out.limit());
        } catch (CharacterCodingException error) {
            throw new PayspecException(UTF8, "utf8", "", "expected a text without lone surrogates");
        }
    }

    /** The address, or zero after it was freed. It is separate from the engine, so that it can be freed when the engine is garbage. */
    private static final class Handle implements Runnable {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private final Calls library;
        private long address;

        Handle(Calls library, long address) {
            this.library = library;
            this.address = address;
        }

        <T> T use(LongFunction<T> call) {
            lock.readLock().lock();
            try {
                if (address == 0) {
                    throw new PayspecException(0, "closed", "", "the engine is closed");
                }
                return call.apply(address);
            } finally {
                lock.readLock().unlock();
            }
        }

        @Override
        public void run() {
            lock.writeLock().lock();
            try {
                library.freeEngine(address);
                address = 0;
            } finally {
                lock.writeLock().unlock();
            }
        }
    }
}
