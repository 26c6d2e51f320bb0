package payspec;

import com.sun.jna.Function;
import com.sun.jna.IntegerType;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.PointerByReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Calls through JNA. */
final class JnaCalls implements Calls {
    /** size_t. JNA creates results of this type. */
    public static final class Size extends IntegerType {
        private static final long serialVersionUID = 1;

        /** Creates a zero. */
        public Size() {
            this(0);
        }

        Size(long value) {
            super(Native.SIZE_T_SIZE, value, true);
        }
    }

    /** payspec_buf. JNA reads and writes its fields. */
    @Structure.FieldOrder({"data", "len", "cap"})
    public static final class Buf extends Structure {
        /** The text. */
        public Pointer data;
        /** Its length. */
        public Size len;
        /** The size of its memory. */
        public Size cap;
    }

    private final com.sun.jna.NativeLibrary library;
    private final Map<String, Function> functions = new ConcurrentHashMap<>();

    JnaCalls(String name) {
        library = com.sun.jna.NativeLibrary.getInstance(name);
    }

    @Override
    public String version() {
        return function("version").invokeString(new Object[0], false);
    }

    @Override
    public int abiVersion() {
        return function("abi_version").invokeInt(new Object[0]);
    }

    @Override
    public Result newEngine(byte[] policy, long[] engine) {
        PointerByReference out = new PointerByReference();
        Result result = withBuffer(buffer -> invoke("engine_new", policy, size(policy), out, buffer));
        engine[0] = Pointer.nativeValue(out.getValue());
        return result;
    }

    @Override
    public void freeEngine(long engine) {
        function("engine_free").invokeVoid(new Object[] {new Pointer(engine)});
    }

    @Override
    public int verdict(long engine, byte[] body, byte[] now) {
        return invoke("validate_request", new Pointer(engine), body, size(body), now, size(now), null);
    }

    @Override
    public Result call(String operation, int inputs, long engine, byte[] first, byte[] second) {
        Pointer pointer = new Pointer(engine);
        return withBuffer(buffer -> switch (inputs) {
            case 0 -> invoke(operation, pointer, buffer);
            case 1 -> invoke(operation, pointer, first, size(first), buffer);
            default -> invoke(operation, pointer, first, size(first), second, size(second), buffer);
        });
    }

    @Override
    public Result batch(long engine, byte[] operation, byte[] data, long[] offsets, byte[] context, byte[] returns,
            long[] ends) {
        return withBuffer(buffer -> invoke("batch", new Pointer(engine), operation, size(operation), data, offsets,
                new Size(offsets.length - 1), context, size(context), returns, buffer, ends));
    }

    private Result withBuffer(java.util.function.ToIntFunction<Buf> call) {
        Buf buffer = new Buf();
        try {
            int number = call.applyAsInt(buffer);
            byte[] text = buffer.data == null ? new byte[0] : buffer.data.getByteArray(0, Math.toIntExact(buffer.len.longValue()));
            return new Result(number, text);
        } finally {
            function("buf_free").invokeVoid(new Object[] {buffer});
        }
    }

    private int invoke(String name, Object... arguments) {
        return function(name).invokeInt(arguments);
    }

    private Function function(String name) {
        return functions.computeIfAbsent(name, key -> library.getFunction("payspec_" + key));
    }

    private static Size size(byte[] text) {
        return new Size(text == null ? 0 : text.length);
    }
}
