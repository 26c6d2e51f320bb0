package payspec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds and opens libpayspec once for each process. */
final class NativeLibrary {
    static final int ABI = 1;
    static final String VERSION = "0.1.0";
    private static final String HINT =
            "; set the property payspec.library or the variable PAYSPEC_LIBRARY to the path of libpayspec.so, such as"
                    + " $HOME/payspec/lib/libpayspec.so";

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
        String resource = "native/" + platform() + "/libpayspec.so";
        try (InputStream file = NativeLibrary.class.getResourceAsStream(resource)) {
            if (file == null) {
                return open("payspec", "the library path of the system, and " + resource + " in the jar", false);
            }
            byte[] library = file.readAllBytes();
            verify(resource, library);
            // A new folder that only this user can read: no other process can replace the file before it is loaded.
            Path folder = Files.createTempDirectory("payspec-");
            Path path = folder.resolve("libpayspec.so");
            try {
                Files.write(path, library);
                return open(path.toString(), resource + " in the jar, unpacked to " + path, true);
            } finally {
                // The process keeps the loaded file.
                Files.deleteIfExists(path);
                Files.delete(folder);
            }
        } catch (IOException error) {
            throw failure(resource + " of the jar cannot be unpacked to " + System.getProperty("java.io.tmpdir") + ": "
                    + error + HINT, error);
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

    /** Returns the folder of the library for this platform: {@code linux-x86_64-glibc}. */
    static String platform() {
        String processor = switch (System.getProperty("os.arch")) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "aarch64";
            default -> System.getProperty("os.arch");
        };
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(' ', '-');
        String libc = "glibc";
        try {
            libc = Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1).contains("/ld-musl-") ? "musl" : libc;
        } catch (IOException notLinux) {
            libc = "unknown";
        }
        return system + "-" + processor + "-" + libc;
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
            throw failure(platform() + ": " + reason + "; searched " + searched + HINT, error);
        }
        if (abi != ABI || isBundled && !version.equals(VERSION)) {
            throw failure(name + " has the version " + version + " with the ABI " + abi + ", this package needs " + VERSION
                    + " with the ABI " + ABI + HINT, null);
        }
        return library;
    }

    static PayspecException failure(String detail, Throwable cause) {
        return new PayspecException(0, "library", "", detail, cause);
    }
}
