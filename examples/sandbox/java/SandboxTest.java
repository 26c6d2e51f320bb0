import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of the helper itself. */
class SandboxTest {
    /** Methods of every record. */
    private static final Set<String> OF_RECORDS = Set.of("equals", "hashCode", "toString");

    @Test
    void missingProgramIsNamed() {
        var error = assertThrows(IllegalStateException.class, () -> Sandbox.start("/nonexistent/payspec"));
        assertTrue(error.getMessage().startsWith("PAYSPEC_CLI: cannot start /nonexistent/payspec"), error.getMessage());
    }

    @Test
    void merchantsOfOtherAlphabetsAndOfLongNamesDiffer() {
        for (var name : Set.of("success", "a".repeat(64), "a-b.c")) {
            assertEquals(name, Sandbox.merchantName(name));
        }
        var tests = Set.of("оплата", "отмена", "支払い", "支払う", "a$b", "a_b", "a".repeat(64) + 1, "a".repeat(64) + 2);
        var names = tests.stream().map(Sandbox::merchantName).collect(Collectors.toSet());
        assertEquals(tests.size(), names.size());
        assertTrue(names.stream().allMatch(name -> name.matches("[A-Za-z0-9_.-]{1,64}")), names.toString());
    }

    @Test
    void readmeListsAllMembers() throws Exception {
        var table = Files.readString(Path.of("../README.md")).split("ANCHOR")[1];
        var rows = table.lines().filter(line -> line.startsWith("| `"));
        Set<String> listed = new TreeSet<>(rows.map(row -> row.split("\\|")[3].replaceAll("[` ]|\\(.*", "")).toList());
        var methods = Arrays.stream(Sandbox.Merchant.class.getDeclaredMethods());
        var names = methods.filter(method -> Modifier.isPublic(method.getModifiers())).map(Method::getName);
        assertEquals(names.filter(name -> !OF_RECORDS.contains(name)).collect(Collectors.toCollection(TreeSet::new)), listed);
    }
}
