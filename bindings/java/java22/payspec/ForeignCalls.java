package payspec;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Calls without JNA. The sizes are those of the platforms with 64 bits, for which the jar has libraries. */
final class ForeignCalls implements Calls {
    private static final MethodHandle VERSION = handle(FunctionDescriptor.of(ADDRESS));
    private static final MethodHandle ABI_VERSION = handle(FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle NEW = handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
    private static final MethodHandle FREE = handle(FunctionDescriptor.ofVoid(ADDRESS));
    private static final MethodHandle CALL_0 = handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle CALL_1 = handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle CALL_2 =
            handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));
    private static final MethodHandle BATCH = handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS,
            ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));
    /** payspec_buf: the address of the text, its length, and the size of its memory. */
    private static final MemoryLayout BUF = MemoryLayout.structLayout(ADDRESS, JAVA_LONG, JAVA_LONG);

    /** A call of the library. Its handles declare every exception. */
    private interface Invocation<T> {
        T run(Arena arena) throws Throwable;
    }

    private final SymbolLookup library;
    private final Map<String, MemorySegment> functions = new ConcurrentHashMap<>();

    ForeignCalls(String name) {
        try {
            // A bare name gets the beginning and the end of a file's name, as JNA does.
            boolean isFile = name.contains("/") || name.contains(".so");
            library = SymbolLookup.libraryLookup(isFile ? name : System.mapLibraryName(name), Arena.global());
        } catch (IllegalArgumentException error) {
            // The exception of JNA.
            throw (UnsatisfiedLinkError) new UnsatisfiedLinkError(reason(name, error)).initCause(error);
        }
    }

    /** Returns the reason of the linker, which is only in the message of the older function. That takes absolute paths only. */
    private static String reason(String name, IllegalArgumentException error) {
        if (!Path.of(name).isAbsolute()) {
            return error.getMessage();
        }
        try {
            System.load(name);
        } catch (UnsatisfiedLinkError found) {
            return found.getMessage();
        }
        return error.getMessage();
    }

    @Override
    public String version() {
        return with(arena -> ((MemorySegment) VERSION.invokeExact(function("version"))).reinterpret(64).getString(0));
    }

    @Override
    public int abiVersion() {
        return with(arena -> (int) ABI_VERSION.invokeExact(function("abi_version")));
    }

    @Override
    public Result newEngine(byte[] policy, long[] engine) {
        return with(arena -> {
            MemorySegment out = arena.allocate(ADDRESS);
            MemorySegment buffer = arena.allocate(BUF);
            int number = (int) NEW.invokeExact(function("engine_new"), text(arena, policy), size(policy), out, buffer);
            engine[0] = out.get(JAVA_LONG, 0);
            return result(number, buffer);
        });
    }

    @Override
    public void freeEngine(long engine) {
        with(arena -> {
            FREE.invokeExact(function("engine_free"), MemorySegment.ofAddress(engine));
            return null;
        });
    }

    @Override
    public int verdict(long engine, byte[] body, byte[] now) {
        return with(arena -> (int) CALL_2.invokeExact(function("validate_request"), MemorySegment.ofAddress(engine),
                text(arena, body), size(body), text(arena, now), size(now), MemorySegment.NULL));
    }

    @Override
    public Result call(String operation, int inputs, long engine, byte[] first, byte[] second) {
        return with(arena -> {
            MemorySegment function = function(operation);
            MemorySegment pointer = MemorySegment.ofAddress(engine);
            MemorySegment buffer = arena.allocate(BUF);
            MemorySegment one = text(arena, first);
            int number = switch (inputs) {
                case 0 -> (int) CALL_0.invokeExact(function, pointer, buffer);
                case 1 -> (int) CALL_1.invokeExact(function, pointer, one, size(first), buffer);
                default -> (int) CALL_2.invokeExact(function, pointer, one, size(first), text(arena, second), size(second), buffer);
            };
            return result(number, buffer);
        });
    }

    @Override
    public Result batch(long engine, byte[] operation, byte[] data, long[] offsets, byte[] context, byte[] returns,
            long[] ends) {
        return with(arena -> {
            MemorySegment codes = arena.allocate(returns.length);
            MemorySegment starts = arena.allocate(JAVA_LONG, ends.length);
            MemorySegment buffer = arena.allocate(BUF);
            int number = (int) BATCH.invokeExact(function("batch"), MemorySegment.ofAddress(engine), text(arena, operation),
                    size(operation), text(arena, data), arena.allocateFrom(JAVA_LONG, offsets), offsets.length - 1L,
                    text(arena, context), size(context), codes, buffer, starts);
            MemorySegment.copy(codes, JAVA_BYTE, 0, returns, 0, returns.length);
            MemorySegment.copy(starts, JAVA_LONG, 0, ends, 0, ends.length);
            return result(number, buffer);
        });
    }

    /** Copies the text of a buffer, and frees it. */
    private Result result(int number, MemorySegment buffer) throws Throwable {
        try {
            long length = buffer.get(JAVA_LONG, ADDRESS.byteSize());
            return new Result(number, buffer.get(ADDRESS, 0).reinterpret(length).toArray(JAVA_BYTE));
        } finally {
            FREE.invokeExact(function("buf_free"), buffer);
        }
    }

    private <T> T with(Invocation<T> call) {
        try (Arena arena = Arena.ofConfined()) {
            return call.run(arena);
        } catch (RuntimeException | Error error) {
            throw error;
        } catch (Throwable error) {
            throw new IllegalStateException("the handles throw nothing else", error);
        }
    }

    private MemorySegment function(String name) {
        return functions.computeIfAbsent(name, key -> library.find("payspec_" + key)
                .orElseThrow(() -> new UnsatisfiedLinkError("the library has no function payspec_" + key)));
    }

    private static MethodHandle handle(FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(descriptor);
    }

    /** Copies an input. One that is empty has an address, unlike an absent one. */
    private static MemorySegment text(Arena arena, byte[] text) {
        if (text == null) {
            return MemorySegment.NULL;
        }
        MemorySegment copy = arena.allocate(Math.max(text.length, 1));
        MemorySegment.copy(text, 0, copy, JAVA_BYTE, 0, text.length);
        return copy;
    }

    private static long size(byte[] text) {
        return text == null ? 0 : text.length;
    }
}
