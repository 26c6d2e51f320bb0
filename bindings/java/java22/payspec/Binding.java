package payspec;

/** Opens the library with the functions of Java 22 for foreign memory. */
final class Binding {
    private Binding() {}

    /**
     * Opens the library.
     *
     * @param name a path, or the name that the linker looks up
     * @return its functions
     * @throws UnsatisfiedLinkError if it cannot be opened
     */
    static Calls open(String name) {
        return new ForeignCalls(name);
    }
}
