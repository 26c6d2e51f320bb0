/** The interface of a payment service as a library. */
module payspec {
    requires com.sun.jna;

    exports payspec;

    // JNA reads the fields of structures.
    opens payspec to com.sun.jna;
}
