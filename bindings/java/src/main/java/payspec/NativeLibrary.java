package payspec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** Finds and opens libpayspec once for each process. */
final class NativeLibrary {
    static final int ABI = 1;
    static final String VERSION = "0.1.0";
    private static final Platform PLATFORM = Platform.here();

    private static Calls opened;

    private NativeLibrary() {}

    /**
     * Returns the library at the path in the property payspec.library or the variable PAYSPEC_LIBRARY, otherwise that of
     * this jar, otherwise the one that is installed.
     */
    static synchronized Calls get() {
        if (opened == null) {
            String name = name(System.getProperty("payspec.library"), System.getenv("PAYSPEC_LIBRARY"));
            opened = name != null ? open(name, name, false) : bundledOrInstalled();
        }
        return opened;
    }

    /** Returns the first value that is set and not empty; null if neither is. */
    static String name(String property, String variable) {
        return property != null && !property.isEmpty() ? property : variable != null && !variable.isEmpty() ? variable : null;
    }

    private static Calls bundledOrInstalled() {
        String resource = PLATFORM.resource();
        try (InputStream file = NativeLibrary.class.getResourceAsStream(resource)) {
            if (file == null) {
                return open("payspec", "the library path of the system, and " + resource + " in the jar", false);
            }
            byte[] library = file.readAllBytes();
            verify(resource, library);
            Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
            if (PLATFORM.file().endsWith(".dll")) {
                UnpackedLibrary.deleteOthers(temporary, PLATFORM.file());
            }
            try (UnpackedLibrary unpacked = new UnpackedLibrary(temporary, PLATFORM.file(), library)) {
                return open(unpacked.path.toString(), resource + " in the jar, unpacked to " + unpacked.path, true);
            }
        } catch (IOException error) {
            throw failure(resource + " of the jar cannot be unpacked to " + System.getProperty("java.io.tmpdir") + ": "
                    + error + PLATFORM.hint(), error);
        }
    }

    /** Compares the library with its checksum in the jar. */
    private static void verify(String resource, byte[] library) throws IOException {
        try (InputStream file = NativeLibrary.class.getResourceAsStream(resource + ".sha256")) {
            byte[] expected = file == null ? new byte[0] : file.readAllBytes();
            String found = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(library));
            if (!found.equals(new String(expected, StandardCharsets.US_ASCII).strip())) {
                throw failure(resource + " of the jar was replaced: its checksum is " + found, null);
            }
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException("every JDK has SHA-256", error);
        }
    }

    private static Calls open(String name, String searched, boolean isBundled) {
        Calls library;
        int abi;
        String version;
        try {
            library = Binding.open(name);
            abi = library.abiVersion();
            version = library.version();
        } catch (UnsatisfiedLinkError error) {
            // The name of the library, and the reason of the linker; the lines after them are repetitions.
            String reason = error.getMessage().lines().limit(2).map(String::strip).collect(Collectors.joining(" "));
            throw failure(PLATFORM.folder() + ": " + reason + "; searched " + searched + PLATFORM.hint(), error);
        }
        if (abi != ABI || isBundled && !version.equals(VERSION)) {
            throw failure(name + " has the version " + version + " with the ABI " + abi + ", this package needs " + VERSION
                    + " with the ABI " + ABI + PLATFORM.hint(), null);
        }
        return library;
    }

    static PayspecException failure(String detail, Throwable cause) {
        return new PayspecException(0, "library", "", detail, cause);
    }
}
