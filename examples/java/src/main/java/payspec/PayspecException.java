package payspec;

import java.nio.charset.StandardCharsets;

/** The program's own input is at fault: nothing is to be sent to a client. It names a place, never a value. */
public final class PayspecException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int number;
    private final String code;
    private final String path;
    private final String detail;

    PayspecException(int number, String code, String path, String detail) {
        super(code + " error at " + (path.isEmpty() ? "the input" : path) + ": " + detail);
        this.number = number;
        this.code = code;
        this.path = path;
        this.detail = detail;
    }

    /** Of the text that the library leaves in the buffer. */
    static PayspecException of(int number, byte[] json) {
        String error = Json.member(new String(json, StandardCharsets.UTF_8), "error").orElse("{}");
        return new PayspecException(number, text(error, "code"), text(error, "path"), text(error, "message"));
    }

    private static String text(String error, String name) {
        return Json.member(error, name).map(Json::unquote).orElse("");
    }

    /** PAYSPEC_ERROR_… of payspec.h: negative; 0 for an engine that is closed. */
    public int number() {
        return number;
    }

    /** null, utf8, panic, context, policy, or closed. */
    public String code() {
        return code;
    }

    /** The JSON Pointer (RFC 6901) of the member at fault; empty for the input as a whole. */
    public String path() {
        return path;
    }

    /** What was expected there; the message has code and path as well. */
    public String detail() {
        return detail;
    }
}
