// One method for each operation. A context is marshalled: a struct such as CreateContext, a map, or a json.RawMessage
// that is passed on unchanged.

package payspec

import (
	"encoding/json"
	"time"
)

// ValidateRequest validates the body of a creation request. Unless now is zero, expired cards are detected.
func (e *Engine) ValidateRequest(body []byte, now time.Time) (*Report, error) {
	return parsed[Report](e, "validate_request", present(body), timestamp(now))
}

// timestamp returns a time as the library reads it; nil if it is zero.
func timestamp(now time.Time) []byte {
	if now.IsZero() {
		return nil
	}
	return []byte(now.Format(time.RFC3339Nano))
}

// CreatePayment returns the exact response to POST /v1/payments/new.
// Its context is a CreateContext, or another value with these members.
func (e *Engine) CreatePayment(body []byte, context any) (*Outcome, error) {
	text, err := Marshal(context)
	if err != nil {
		return nil, err
	}
	return parsed[Outcome](e, "create_payment", present(body), text)
}

// ReadPayment returns the exact response to GET /v1/payments/{uid}/status.
// Its context is a ReadContext, or another value with these members. In a ReadContext and in a map[string]any, a uid that is
// not UTF-8 is answered with 404, as any other that is not a UUID.
func (e *Engine) ReadPayment(context any) (*Outcome, error) {
	if members, is := context.(map[string]any); is {
		context = withSentUID(members)
	}
	return of(e, "read_payment", context)
}

// withSentUID returns the members with the uid that ReadContext.MarshalJSON writes.
func withSentUID(members map[string]any) map[string]any {
	uid, is := members["uid"].(string)
	if !is {
		return members
	}
	copied := make(map[string]any, len(members))
	for name, value := range members {
		copied[name] = value
	}
	copied["uid"] = sent(uid)
	return copied
}

// ReadBalance returns the exact response to GET /v1/partner/balance.
// Its context is a BalanceContext, or another value with these members.
func (e *Engine) ReadBalance(context any) (*Outcome, error) { return of(e, "read_balance", context) }

// CheckPayment validates a Payment, and compares it with the request, which may be nil.
func (e *Engine) CheckPayment(body, request []byte) (*Report, error) {
	return parsed[Report](e, "check_payment", present(body), request)
}

// FieldCurrencies returns the currency of each amount of a Payment, or a report if they cannot be determined.
func (e *Engine) FieldCurrencies(body []byte) (fields map[string]string, rejected *Report, err error) {
	answer, rejected, err := resultOrReport[struct{ Fields map[string]string }](e, "field_currencies", present(body))
	if answer == nil {
		return nil, rejected, err
	}
	return answer.Fields, nil, nil
}

// Convert converts a fiat amount to USDT.
// Its context is a ConvertContext, or another value with these members.
func (e *Engine) Convert(context any) (*Outcome, error) { return of(e, "convert", context) }

// AdvancePayment applies a transition to a stored Payment, or returns a 409 outcome.
// Its context is a AdvanceContext, or another value with these members.
func (e *Engine) AdvancePayment(context any) (*Outcome, error) {
	return of(e, "advance_payment", context)
}

// CheckTransition returns the verdict on a transition between two states.
func (e *Engine) CheckTransition(from, to string) (*Transition, error) {
	text, err := Marshal(map[string]string{"from": from, "to": to})
	if err != nil {
		return nil, err
	}
	return parsed[Transition](e, "check_transition", text)
}

// States returns the table of states as JSON.
func (e *Engine) States() (json.RawMessage, error) { return plain(e, "states") }

// CheckIdempotency returns the verdict on a repeated key: new, replay, conflict, mismatch, or in_progress.
func (e *Engine) CheckIdempotency(now time.Time, fingerprint string, existing *Record) (verdict string, err error) {
	text, err := Marshal(struct {
		Now         time.Time `json:"now"`
		Fingerprint string    `json:"fingerprint"`
		Existing    *Record   `json:"existing"`
	}{now, fingerprint, existing})
	if err != nil {
		return "", err
	}
	answer, err := parsed[struct{ Verdict string }](e, "check_idempotency", text)
	if err != nil {
		return "", err
	}
	return answer.Verdict, nil
}

// IdempotencyKey returns the key in the value of an Idempotency-Key header, or the 400 outcome. Without the header, which is
// nil, the key is empty.
func (e *Engine) IdempotencyKey(header []byte) (key string, rejected *Outcome, err error) {
	text, accepted, err := e.Call("idempotency_key", header)
	if err != nil {
		return "", nil, err
	}
	if !accepted {
		rejected, err = read[Outcome](text)
		return "", rejected, err
	}
	answer, err := read[struct{ Key string }](text)
	if err != nil {
		return "", nil, err
	}
	return answer.Key, nil, nil
}

// SignWebhook returns the headers to send with a webhook.
func (e *Engine) SignWebhook(body []byte, id string, timestamp time.Time, secrets ...string) (map[string]string, error) {
	text, err := Marshal(struct {
		ID        string    `json:"id"`
		Timestamp time.Time `json:"timestamp"`
		Secrets   []string  `json:"secrets"`
	}{id, timestamp, secrets})
	if err != nil {
		return nil, err
	}
	answer, err := parsed[struct{ Headers map[string]string }](e, "sign_webhook", present(body), text)
	if err != nil {
		return nil, err
	}
	return answer.Headers, nil
}

// VerifyWebhook returns the reason to reject a received webhook; empty if it is verified.
func (e *Engine) VerifyWebhook(body []byte, headers map[string]string, now time.Time, secrets ...string) (reason string, err error) {
	text, err := Marshal(struct {
		Headers map[string]string `json:"headers"`
		Now     time.Time         `json:"now"`
		Secrets []string          `json:"secrets"`
	}{headers, now, secrets})
	if err != nil {
		return "", err
	}
	answer, err := parsed[struct{ Reason string }](e, "verify_webhook", present(body), text)
	if err != nil {
		return "", err
	}
	return answer.Reason, nil
}

// FingerprintRequest returns a value that is the same for every spelling of a request.
func (e *Engine) FingerprintRequest(body []byte) (fingerprint string, rejected *Report, err error) {
	answer, rejected, err := resultOrReport[struct{ Fingerprint string }](e, "fingerprint_request", present(body))
	if answer == nil {
		return "", rejected, err
	}
	return answer.Fingerprint, nil, nil
}

// Authorize returns the token of an Authorization header, which is nil if the request has none; or the 401 outcome.
func (e *Engine) Authorize(header []byte) (token string, rejected *Outcome, err error) {
	text, accepted, err := e.Call("authorize", header)
	if err != nil {
		return "", nil, err
	}
	if !accepted {
		rejected, err = read[Outcome](text)
		return "", rejected, err
	}
	answer, err := read[struct{ Token string }](text)
	if err != nil {
		return "", nil, err
	}
	return answer.Token, nil, nil
}

// Migrated is a migrated body, its changes, and the members that need a manual decision. IdempotencyKey is empty unless a request
// of the legacy API contained one.
type Migrated struct {
	Body           json.RawMessage   `json:"body"`
	Changes        []json.RawMessage `json:"changes"`
	Unresolved     []json.RawMessage `json:"unresolved"`
	IdempotencyKey string            `json:"idempotency_key"`
}

// UpgradeRequest migrates a request of the legacy API. The kind is pay_in or pay_out.
func (e *Engine) UpgradeRequest(kind string, body []byte) (*Migrated, *Report, error) {
	return resultOrReport[Migrated](e, "upgrade_request", []byte(kind), present(body))
}

// DowngradeRequest migrates a request to the legacy API.
func (e *Engine) DowngradeRequest(body []byte) (*Migrated, *Report, error) {
	return resultOrReport[Migrated](e, "downgrade_request", present(body))
}

// UpgradeBalance migrates a balance of the legacy API.
func (e *Engine) UpgradeBalance(body []byte) (*Migrated, *Report, error) {
	return resultOrReport[Migrated](e, "upgrade_balance", present(body))
}

// DowngradeBalance migrates a balance to the legacy API.
func (e *Engine) DowngradeBalance(body []byte) (*Migrated, *Report, error) {
	return resultOrReport[Migrated](e, "downgrade_balance", present(body))
}

// UpgradePayment migrates a Payment of the legacy API.
func (e *Engine) UpgradePayment(body []byte) (*Migrated, *Report, error) {
	return resultOrReport[Migrated](e, "upgrade_payment", present(body))
}

// DowngradePayment migrates a Payment to the legacy API.
func (e *Engine) DowngradePayment(body []byte) (*Migrated, *Report, error) {
	return resultOrReport[Migrated](e, "downgrade_payment", present(body))
}

// Redact makes a body safe to log. A body that is not JSON is replaced by its report, which is safe as well.
func (e *Engine) Redact(body []byte) (json.RawMessage, error) {
	return plain(e, "redact", present(body))
}

// RedactText returns a text, such as a line of a log, safe to log.
func (e *Engine) RedactText(text string) (string, error) {
	redacted, err := plain(e, "redact_text", present([]byte(text)))
	return string(redacted), err
}

// Span is a range of bytes; its end is exclusive.
type Span struct{ Start, End int }

// Location is the location of a value in a body: bytes, line and column from 1, and the range of the member's name if
// it has one.
type Location struct {
	Start, End, Line, Column int
	Name                     *Span
}

// Locate returns the location of the value at a JSON Pointer; nil if the body has no such value.
func (e *Engine) Locate(body []byte, pointer string) (*Location, error) {
	text, accepted, err := e.Call("locate", present(body), present([]byte(pointer)))
	if err != nil || !accepted {
		return nil, err
	}
	return read[Location](text)
}

// ComparePolicies compares the requests that two policies accept. A nil policy is the default one.
func (e *Engine) ComparePolicies(before, after json.RawMessage) (*PolicyComparison, error) {
	text, err := Marshal(map[string]json.RawMessage{"before": before, "after": after})
	if err != nil {
		return nil, err
	}
	return parsed[PolicyComparison](e, "compare_policies", text)
}

// CardInfo describes the card to which the digits typed so far belong.
func (e *Engine) CardInfo(digits string) (*CardInfo, error) {
	return parsed[CardInfo](e, "card_info", []byte(digits))
}

// Rules returns the catalog of violation codes as JSON.
func (e *Engine) Rules() (json.RawMessage, error) { return plain(e, "rules") }

// Decisions returns the decisions on questions that the specification leaves open, as JSON.
func (e *Engine) Decisions() (json.RawMessage, error) { return plain(e, "decisions") }

// OpenAPI returns an OpenAPI 3.1 document of the interface.
func (e *Engine) OpenAPI() (json.RawMessage, error) { return plain(e, "openapi") }

func plain(e *Engine, operation string, inputs ...[]byte) (json.RawMessage, error) {
	text, _, err := e.Call(operation, inputs...)
	return text, err
}

func of(e *Engine, operation string, context any) (*Outcome, error) {
	text, err := Marshal(context)
	if err != nil {
		return nil, err
	}
	return parsed[Outcome](e, operation, text)
}

// parsed reads the answer of an operation whose answers always have the same members.
func parsed[T any](e *Engine, operation string, inputs ...[]byte) (*T, error) {
	text, _, err := e.Call(operation, inputs...)
	if err != nil {
		return nil, err
	}
	return read[T](text)
}

// resultOrReport reads the result of an operation, or the report with the reason if there is no result.
func resultOrReport[T any](e *Engine, operation string, inputs ...[]byte) (answer *T, rejected *Report, err error) {
	text, accepted, err := e.Call(operation, inputs...)
	switch {
	case err != nil:
		return nil, nil, err
	case accepted:
		answer, err = read[T](text)
	default:
		rejected, err = read[Report](text)
	}
	return answer, rejected, err
}

func read[T any](text []byte) (*T, error) {
	answer := new(T)
	if err := json.Unmarshal(text, answer); err != nil {
		return nil, err
	}
	return answer, nil
}
