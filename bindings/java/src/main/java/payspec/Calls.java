package payspec;

/** The functions of payspec.h over Java values. A null array is an absent input. */
interface Calls {
    /** A return code, and the text in the buffer: an answer, or an error if the code is negative. */
    record Result(int number, byte[] text) {}

    /** {@return the result of {@code payspec_version}} */
    String version();

    /** {@return the result of {@code payspec_abi_version}} */
    int abiVersion();

    /**
     * Creates an engine.
     *
     * @param policy the policy, or null
     * @param engine receives the address
     * @return the return code, and the error
     */
    Result newEngine(byte[] policy, long[] engine);

    /**
     * Frees an engine.
     *
     * @param engine the address
     */
    void freeEngine(long engine);

    /**
     * {@return the return code of {@code payspec_validate_request} without a report}
     *
     * @param engine the address of the engine
     * @param body the body
     * @param now the current time, or null
     */
    int verdict(long engine, byte[] body, byte[] now);

    /**
     * Calls an operation. If it takes fewer inputs, the last ones are ignored.
     *
     * @param operation the name
     * @param inputs the number of inputs that it takes
     * @param engine the address of the engine
     * @param first the first input
     * @param second the second input
     * @return the return code, and the answer
     */
    Result call(String operation, int inputs, long engine, byte[] first, byte[] second);

    /**
     * Calls {@code payspec_batch}. No array but the context is null or empty.
     *
     * @param engine the address of the engine
     * @param operation the name
     * @param data the bodies
     * @param offsets where each body starts, and the end of the last one
     * @param context the second input of the operation, or null
     * @param returns receives the return code of each body
     * @param ends receives where each answer starts, and the end of the last one
     * @return the return code, and the answers
     */
    Result batch(long engine, byte[] operation, byte[] data, long[] offsets, byte[] context, byte[] returns, long[] ends);
}
