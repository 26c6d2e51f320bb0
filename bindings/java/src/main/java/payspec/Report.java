package payspec;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All violations of a body.
 *
 * @param valid no violation is an error
 * @param variant pay_in or pay_out, if it could be read
 * @param mode P2P, ACQUIRING, or CRYPTO, if it could be read
 * @param host2host the member of that name is true
 * @param violations in the order of the specification
 * @param truncated there are more violations than the limit of the policy
 */
public record Report(boolean valid, Optional<String> variant, Optional<String> mode, boolean host2host,
        List<Violation> violations, boolean truncated) {
    @SuppressWarnings("unchecked") // the reader makes maps of texts to objects, and lists of objects
    static Report of(Answer answer) {
        Map<String, Object> members = (Map<String, Object>) JsonReader.read(answer.json());
        List<Object> violations = (List<Object>) members.get("violations");
        return new Report((Boolean) members.get("valid"), Optional.ofNullable((String) members.get("variant")),
                Optional.ofNullable((String) members.get("mode")), (Boolean) members.get("host2host"),
                violations.stream().map(Violation::of).toList(), members.containsKey("truncated"));
    }
}
