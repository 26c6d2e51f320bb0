package payspec;

import java.nio.charset.StandardCharsets;

/**
 * The exception of every call: a caller error, for which there is no response for the client, or a library that cannot be
 * loaded. It contains a path, never a value.
 */
public final class PayspecException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The return code of the C API. */
    private final int number;
    /** The kind of error. */
    private final String code;
    /** The JSON Pointer of the invalid argument or member. */
    private final String path;
    /** The expectation that is not met. */
    private final String detail;

    PayspecException(int number, String code, String path, String detail) {
        this(number, code, path, detail, null);
    }

    PayspecException(int number, String code, String path, String detail, Throwable cause) {
        super(code.equals("library")
                ? "libpayspec cannot be loaded: " + detail
                : code + " error at " + (path.isEmpty() ? "the input" : path) + ": " + detail, cause);
        this.number = number;
        this.code = code;
        this.path = path;
        this.detail = detail;
    }

    /** Reads the error text in the buffer of the library. */
    static PayspecException of(int number, byte[] json) {
        String error = Json.member(new String(json, StandardCharsets.UTF_8), "error").orElse("{}");
        return new PayspecException(number, text(error, "code"), text(error, "path"), text(error, "message"));
    }

    private static String text(String error, String name) {
        return Json.member(error, name).map(Json::unquote).orElse("");
    }

    /**
     * {@return PAYSPEC_ERROR_… of payspec.h, which is negative, or 0 for an engine that is closed and a library that is not loaded}
     */
    public int number() {
        return number;
    }

    /** {@return argument, utf8, panic, context, policy, closed, or library} */
    public String code() {
        return code;
    }

    /** {@return the JSON Pointer (RFC 6901) of the invalid member; empty for the whole input} */
    public String path() {
        return path;
    }

    /** {@return the expected value in words; the message also contains code and path} */
    public String detail() {
        return detail;
    }
}
