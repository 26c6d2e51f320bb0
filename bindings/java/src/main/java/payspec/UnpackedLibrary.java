package payspec;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** The library of the jar as a file. */
final class UnpackedLibrary implements AutoCloseable {
    private static final String PREFIX = "payspec-";
    /** A process loads its file within this time. */
    private static final Duration LOADED = Duration.ofHours(1);

    final Path path;

    /** Writes the library into a new folder. */
    UnpackedLibrary(Path temporary, String name, byte[] library) throws IOException {
        // Java gives the folder to this user alone, except on Windows, where it has the access rights of `temporary`.
        path = Files.createTempDirectory(temporary, PREFIX).resolve(name);
        Files.write(path, library);
    }

    /** Deletes the file, which the process keeps if it has loaded it. Windows deletes no loaded file. */
    @Override
    public void close() throws IOException {
        try {
            delete(path);
        } catch (IOException error) {
            if (!path.toString().endsWith(".dll")) {
                throw error;
            }
        }
    }

    /** Deletes files with this name that processes have left. Those of running processes remain. */
    static void deleteOthers(Path temporary, String name) throws IOException {
        Instant latest = Instant.now().minus(LOADED);
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary, PREFIX + "*")) {
            for (Path folder : folders) {
                Path file = folder.resolve(name);
                try {
                    if (Files.isRegularFile(file) && Files.getLastModifiedTime(file).toInstant().isBefore(latest)) {
                        delete(file);
                    }
                } catch (IOException used) {
                    // Another process uses it and a later one deletes it, or another one has deleted it.
                }
            }
        }
    }

    private static void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.delete(file.getParent());
    }
}
