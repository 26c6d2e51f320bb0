package payspec;

/** The credential of a request. */
public final class Authorization {
    private static final Authorization CHECKED = new Authorization("\"checked_by_caller\"");

    private final String json;

    private Authorization(String json) {
        this.json = json;
    }

    /**
     * {@return the credential in an Authorization header}
     *
     * @param header null if the request has none
     * @param accepted the caller accepts its token
     */
    public static Authorization header(String header, boolean accepted) {
        return new Authorization("{\"header\":" + Json.quoteHeader(header) + ",\"accepted\":" + accepted + "}");
    }

    /** {@return the credential of a request that the caller has checked in another way} */
    public static Authorization checkedByCaller() {
        return CHECKED;
    }

    String json() {
        return json;
    }

    /** Returns the name of the class: the header is secret. */
    @Override
    public String toString() {
        return "Authorization";
    }
}
