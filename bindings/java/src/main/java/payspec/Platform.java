package payspec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A platform, with the names that its library has.
 *
 * @param folder the folder in the jar: on macOS and Windows JNA's name of the platform, on Linux with the C library
 * @param file the name of the library
 */
record Platform(String folder, String file) {
    /** Returns the platform of this process. */
    static Platform here() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"), libc());
    }

    /** Returns the platform of a system and a processor, as Java names them, and of a C library. */
    static Platform of(String system, String processor, String libc) {
        String common = switch (processor) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "aarch64";
            default -> processor;
        };
        String name = system.toLowerCase(Locale.ROOT);
        String jna = common.replace('_', '-');
        if (name.startsWith("mac")) {
            return new Platform("darwin-" + jna, "libpayspec.dylib");
        }
        if (name.startsWith("windows")) {
            return new Platform("win32-" + jna, "payspec.dll");
        }
        return new Platform(name.replace(' ', '-') + "-" + common + "-" + libc, "libpayspec.so");
    }

    /** Returns the C library of this process; {@code unknown} if the system is not Linux. */
    private static String libc() {
        try {
            String maps = Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1);
            return maps.contains("/ld-musl-") ? "musl" : "glibc";
        } catch (IOException notLinux) {
            return "unknown";
        }
    }

    /** Returns the name of the library in the jar, relative to this package. */
    String resource() {
        return "native/" + folder + "/" + file;
    }

    /** Returns the sentence that names the settings for another library. */
    String hint() {
        String example = file.endsWith(".dll") ? "C:\\payspec\\bin\\" + file : "$HOME/payspec/lib/" + file;
        return "; set the property payspec.library or the variable PAYSPEC_LIBRARY to the path of " + file + ", such as "
                + example;
    }
}
