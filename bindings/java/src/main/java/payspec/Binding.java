package payspec;

/** Opens the library with JNA. */
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
        try {
            // In one sentence, instead of the name of a class.
            Class.forName("com.sun.jna.Library", false, Binding.class.getClassLoader());
        } catch (ClassNotFoundException missing) {
            throw NativeLibrary.failure("JNA is not on the class path: add net.java.dev.jna:jna, version 5", null);
        }
        return new JnaCalls(name);
    }
}
