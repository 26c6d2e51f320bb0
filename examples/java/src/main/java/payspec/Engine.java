package payspec;

import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import payspec.CLibrary.Buf;
import payspec.CLibrary.Size;

/**
 * An engine made of a policy once; it never changes, and any number of threads may share it.
 *
 * <p>What a client sends is never an exception: it is a report, or an outcome with the status to answer. A
 * {@link PayspecException} means that the program itself called with something broken. Bodies are bytes as they came
 * off the wire; contexts are JSON.
 */
public final class Engine implements AutoCloseable {
    private static final CLibrary C = CLibrary.INSTANCE;
    private static final Cleaner CLEANER = Cleaner.create();

    private final Handle handle;
    private final Cleaner.Cleanable cleanable;

    /** The default policy. */
    public Engine() {
        this(null);
    }

    /** A policy as JSON; the default one where it is null. */
    public Engine(String policy) {
        byte[] text = bytes(policy);
        PointerByReference out = new PointerByReference();
        Buf error = new Buf();
        try {
            int number = C.payspec_engine_new(text, size(text), out, error);
            if (number < 0) {
                throw PayspecException.of(number, error.bytes());
            }
        } finally {
            C.payspec_buf_free(error);
        }
        handle = new Handle(out.getValue());
        cleanable = CLEANER.register(this, handle);
    }

    /** Frees the engine after the last call that is running. Later calls throw; closing twice is fine. */
    @Override
    public void close() {
        cleanable.clean();
    }

    /** The version of the library. */
    public static String version() {
        return C.payspec_version();
    }

    /** The verdict of {@link #validateRequest} alone, without a report: the fastest call. */
    public boolean accepts(byte[] body) {
        int number = handle.use(engine -> C.payspec_validate_request(engine, body, size(body), null, size(null), null));
        return number >= 0 ? number == 0 : validateRequest(body, null).accepted();
    }

    /** Everything that is wrong with a creation request. A {@code now} that is not null lets cards expire. */
    public Answer validateRequest(byte[] body, Instant now) {
        byte[] instant = now == null ? null : bytes(now.toString());
        return call((e, out) -> C.payspec_validate_request(e, body, size(body), instant, size(instant), out));
    }

    /** The exact answer to POST /v1/payments/new. */
    public Answer createPayment(byte[] body, String context) {
        byte[] text = bytes(context);
        return call((e, out) -> C.payspec_create_payment(e, body, size(body), text, size(text), out));
    }

    /** The exact answer to GET /v1/payments/{uid}/status. */
    public Answer readPayment(String context) {
        return call(C::payspec_read_payment, bytes(context));
    }

    /** The exact answer to GET /v1/partner/balance. */
    public Answer readBalance(String context) {
        return call(C::payspec_read_balance, bytes(context));
    }

    /** Whether it is a sound Payment, and whether it answers that request, which may be null. */
    public Answer checkPayment(byte[] body, byte[] request) {
        return call((e, out) -> C.payspec_check_payment(e, body, size(body), request, size(request), out));
    }

    /** Which amount of a Payment is in which currency. */
    public Answer fieldCurrencies(byte[] body) {
        return call(C::payspec_field_currencies, body);
    }

    /** A fiat amount in USDT. */
    public Answer convert(String context) {
        return call(C::payspec_convert, bytes(context));
    }

    /** A stored Payment in another state, or 409. */
    public Answer advancePayment(String context) {
        return call(C::payspec_advance_payment, bytes(context));
    }

    /** Whether a step from one state to another is possible. */
    public Answer checkTransition(String from, String to) {
        String context = "{\"from\":" + Json.quote(from) + ",\"to\":" + Json.quote(to) + "}";
        return call(C::payspec_check_transition, bytes(context));
    }

    /** The table of states. */
    public Answer states() {
        return call(C::payspec_states);
    }

    /** What a repeated idempotency key means. */
    public Answer checkIdempotency(String context) {
        return call(C::payspec_check_idempotency, bytes(context));
    }

    /** The same for the same request, however it is written. */
    public Answer fingerprintRequest(byte[] body) {
        return call(C::payspec_fingerprint_request, body);
    }

    /** The token of an Authorization header, null where there is none; or the 401 to answer. */
    public Answer authorize(String header) {
        return call(C::payspec_authorize, bytes(header));
    }

    /** A request of the earlier interface carried over. The kind is pay_in or pay_out. */
    public Answer upgradeRequest(String kind, byte[] body) {
        byte[] text = bytes(kind);
        return call((e, out) -> C.payspec_upgrade_request(e, text, size(text), body, size(body), out));
    }

    /** A Payment of the earlier interface carried over. */
    public Answer upgradePayment(byte[] body) {
        return call(C::payspec_upgrade_payment, body);
    }

    /** A Payment for a client of the earlier interface. */
    public Answer downgradePayment(byte[] body) {
        return call(C::payspec_downgrade_payment, body);
    }

    /** The body, safe to log; what is no JSON becomes the report that says so, which is safe as well. */
    public String redact(byte[] body) {
        return call(C::payspec_redact, body).json();
    }

    /** What the digits typed so far say of a card. */
    public Answer cardInfo(String digits) {
        return call(C::payspec_card_info, bytes(digits));
    }

    /** The catalogue of violation codes. */
    public Answer rules() {
        return call(C::payspec_rules);
    }

    /** What the specification leaves open, and what the library does there. */
    public Answer decisions() {
        return call(C::payspec_decisions);
    }

    /** An OpenAPI 3.1 document of the interface. */
    public Answer openapi() {
        return call(C::payspec_openapi);
    }

    @FunctionalInterface
    private interface Call {
        int with(Pointer engine, Buf out);
    }

    @FunctionalInterface
    private interface CallWithInput {
        int with(Pointer engine, byte[] input, Size size, Buf out);
    }

    private Answer call(CallWithInput function, byte[] input) {
        return call((engine, out) -> function.with(engine, input, size(input), out));
    }

    private Answer call(Call function) {
        Buf out = new Buf();
        try {
            int number = handle.use(engine -> function.with(engine, out));
            if (number < 0) {
                throw PayspecException.of(number, out.bytes());
            }
            return new Answer(number == 0, new String(out.bytes(), StandardCharsets.UTF_8));
        } finally {
            C.payspec_buf_free(out);
        }
    }

    /** A lone surrogate becomes a question mark, as everywhere in Java. */
    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static Size size(byte[] text) {
        return new Size(text == null ? 0 : text.length);
    }

    /** The pointer, apart from the engine, so that it can be freed when the engine is garbage. */
    private static final class Handle implements Runnable {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private Pointer pointer;

        Handle(Pointer pointer) {
            this.pointer = pointer;
        }

        int use(java.util.function.ToIntFunction<Pointer> call) {
            lock.readLock().lock();
            try {
                if (pointer == null) {
                    throw new PayspecException(0, "closed", "", "the engine is closed");
                }
                return call.applyAsInt(pointer);
            } finally {
                lock.readLock().unlock();
            }
        }

        @Override
        public void run() {
            lock.writeLock().lock();
            try {
                C.payspec_engine_free(pointer);
                pointer = null;
            } finally {
                lock.writeLock().unlock();
            }
        }
    }
}
