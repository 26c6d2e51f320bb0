package payspec;

import java.util.Map;

/**
 * One broken rule. It never contains a value of the body.
 *
 * @param path the JSON Pointer (RFC 6901) of the member
 * @param code the stable name of the rule
 * @param severity error or warning
 * @param message the rule in words
 * @param source the section of the specification, or the decision
 * @param params details of the rule: texts, numbers, and lists
 */
public record Violation(
        String path, String code, String severity, String message, String source, Map<String, Object> params) {
    @SuppressWarnings("unchecked") // the reader makes maps of texts to objects
    static Violation of(Object json) {
        Map<String, Object> members = (Map<String, Object>) json;
        Map<String, Object> params = (Map<String, Object>) members.getOrDefault("params", Map.of());
        return new Violation((String) members.get("path"), (String) members.get("code"),
                (String) members.get("severity"), (String) members.get("message"), (String) members.get("source"), params);
    }
}
