// Types of the answers and of the contexts.

package payspec

import (
	"encoding/json"
	"time"
)

// Violation is one broken rule. It never contains a value of the body.
type Violation struct {
	Path     string          `json:"path"`
	Code     string          `json:"code"`
	Severity string          `json:"severity"`
	Message  string          `json:"message"`
	Source   string          `json:"source"`
	Params   json.RawMessage `json:"params,omitempty"`
}

// Report contains all violations of a body.
type Report struct {
	Valid      bool        `json:"valid"`
	Variant    string      `json:"variant"` // pay_in, pay_out, or empty if it could not be read
	Mode       string      `json:"mode"`    // P2P, ACQUIRING, CRYPTO, or empty
	Host2Host  bool        `json:"host2host"`
	Violations []Violation `json:"violations"`
	Truncated  bool        `json:"truncated"`
}

// Outcome is the status and the body to send: a Payment, or a problem (RFC 9457).
type Outcome struct {
	Status          int             `json:"status"`
	Body            json.RawMessage `json:"body"`             // to be sent byte for byte
	WWWAuthenticate string          `json:"www_authenticate"` // with a 401: the header of that name
	Replayed        bool            `json:"replayed"`         // the stored payment of a repeated request
	Fingerprint     string          `json:"fingerprint"`      // to be stored with the payment
	Warnings        []Violation     `json:"warnings"`         // for the log, not for the client
}

// Record returns the record to store under the key of the request, as the next request with this key needs it. The time
// is that of the context. It is nil unless the outcome is a new payment that was created with an idempotency key.
func (o *Outcome) Record(now time.Time) *Record {
	if !o.OK() || o.Replayed || o.Fingerprint == "" {
		return nil
	}
	return &Record{CreatedAt: now, Fingerprint: o.Fingerprint, Payment: o.Body}
}

// OK reports if the status is 2xx.
func (o *Outcome) OK() bool { return o.Status/100 == 2 }

// Problem is the body of an outcome that is not OK.
type Problem struct {
	Type       string      `json:"type"`
	Title      string      `json:"title"`
	Status     int         `json:"status"`
	Code       string      `json:"code"`
	Detail     string      `json:"detail"`
	Retryable  bool        `json:"retryable"` // the same request can succeed later without a change
	UID        string      `json:"uid"`       // of idempotency_conflict: the payment of the same request; empty if the body differs
	Violations []Violation `json:"violations"`
	Truncated  bool        `json:"truncated"` // there are more violations than the policy's limit
}

// Problem returns the body of an outcome that is not OK; nil if it is OK.
func (o *Outcome) Problem() *Problem {
	problem := &Problem{}
	if o.OK() || json.Unmarshal(o.Body, problem) != nil {
		return nil
	}
	return problem
}

// States of a Payment.
const (
	StateIdle       = "idle"
	StateRouted     = "routed"
	StateCompleted  = "completed"
	StateNotFully   = "not_fully"
	StateFail       = "fail"
	StateCancel     = "cancel"
	StateChargeback = "chargeback"
	StateCorrection = "correction"
)

// Verdicts of CheckIdempotency.
const (
	VerdictNew        = "new"
	VerdictReplay     = "replay"
	VerdictConflict   = "conflict"
	VerdictMismatch   = "mismatch"
	VerdictInProgress = "in_progress"
)

// Verdicts of CheckTransition.
const (
	TransitionAllowed     = "allowed"
	TransitionRefused     = "refused"
	TransitionUnspecified = "unspecified"
	TransitionUnchanged   = "unchanged"
)

// ReadContext is the context of ReadPayment. UID is the text in the path; if it is not a UUID, the answer is 404. Payment is
// the stored one, unchanged; nil if it does not exist: 404.
type ReadContext struct {
	UID           string          `json:"uid"`
	Payment       json.RawMessage `json:"payment"`
	Authorization Authorization   `json:"authorization"`
}

// BalanceContext is the context of ReadBalance. Balance is an object with at least cur.
type BalanceContext struct {
	Balance       json.RawMessage `json:"balance"`
	Authorization Authorization   `json:"authorization"`
}

// ConvertContext is the context of Convert. Now is needed to check the age of the quote.
type ConvertContext struct {
	Amount   string     `json:"amount"`
	Currency string     `json:"currency"`
	Quote    *Quote     `json:"quote,omitempty"`
	Now      *time.Time `json:"now,omitempty"`
}

// AdvanceContext is the context of AdvancePayment. Payment, To and At are required.
type AdvanceContext struct {
	Payment    json.RawMessage `json:"payment"`
	To         string          `json:"to"` // one of the states
	At         time.Time       `json:"at"`
	PaidAmount *string         `json:"paid_amount,omitempty"`
	Amount     *string         `json:"amount,omitempty"`
	FailBy     *string         `json:"fail_by,omitempty"`
	FailCode   *string         `json:"fail_code,omitempty"`
	Receipts   []string        `json:"receipts,omitempty"`
}

// CreateContext is the context of CreatePayment. UID, Now and Authorization are required; the zero time.Time is an *Error.
// A nil is an absent member; an empty text such as Ptr("") is a present member: an empty Refusal declines the payment.
type CreateContext struct {
	UID           string          `json:"uid"`
	Now           time.Time       `json:"now"`
	URL           *string         `json:"url,omitempty"`
	Form          *string         `json:"form,omitempty"`
	MerchantID    *string         `json:"merchant_id,omitempty"`
	Authorization Authorization   `json:"authorization"` // the zero value is answered with 401
	Idempotency   *Idempotency    `json:"idempotency,omitempty"`
	Quote         *Quote          `json:"quote,omitempty"`
	Charges       *Charges        `json:"charges,omitempty"`
	Info          json.RawMessage `json:"info,omitempty"` // an object with further members of the answer's info, for host2host
	Refusal       *string         `json:"refusal,omitempty"`
	// AllowedMerchantIDs are the merchants that the credential may act for: any other merchant_id of the body is answered
	// with 422. An empty list allows none; with nil, any merchant_id is allowed.
	AllowedMerchantIDs []string `json:"allowed_merchant_ids"`
}

// Authorization is the Authorization header of the request, and whether the caller accepts its token.
type Authorization struct {
	CheckedByCaller bool   `json:"-"`      // the caller has checked the credential; the other fields are not used
	Header          string `json:"header"` // empty if the request has none; an invalid header is answered with 401
	Accepted        bool   `json:"accepted"`
}

// Idempotency is the key of the request, and the record stored under it.
type Idempotency struct {
	Key      string  `json:"key"`
	Existing *Record `json:"existing"`
}

// Record is what the caller stores under an idempotency key. Without a Payment the first request is in progress.
// To store it as JSON use Marshal: json.Marshal changes the Payment's text. A replay returns it byte for byte.
type Record struct {
	CreatedAt   time.Time       `json:"created_at"`
	Fingerprint string          `json:"fingerprint"`
	Payment     json.RawMessage `json:"payment"`
}

// Quote is the price of 1 USDT in a fiat currency.
type Quote struct {
	Currency string    `json:"currency"`
	Rate     string    `json:"rate"` // a decimal, never a float
	AsOf     time.Time `json:"as_of"`
}

// Charges are decimals in the currency of the request; nil is zero.
type Charges struct {
	Fee              *string `json:"fee,omitempty"`
	Commission       *string `json:"commission,omitempty"`
	SharedCommission *string `json:"shared_commission,omitempty"`
}

// Transition is the verdict on a transition between two states.
type Transition struct {
	Verdict string `json:"verdict"` // allowed, refused, unspecified, unchanged
	Reason  string `json:"reason"`
	Source  string `json:"source"`
}

// Relations and changes of ComparePolicies: the second policy accepts the same requests as the first one, more, fewer, or
// others. A change that does not decide which requests are accepted is PolicyOther.
const (
	PolicyEqual        = "equal"
	PolicyWider        = "wider"
	PolicyNarrower     = "narrower"
	PolicyIncomparable = "incomparable"
	PolicyOther        = "other"
)

// PolicyComparison is the relation between the requests that two policies accept, with the differences of the policies.
type PolicyComparison struct {
	Relation    string             `json:"relation"`
	Differences []PolicyDifference `json:"differences"`
}

// PolicyDifference is one difference between two policies. Path is a JSON Pointer into a policy.
type PolicyDifference struct {
	Path    string         `json:"path"`
	Change  string         `json:"change"`
	Witness *PolicyWitness `json:"witness"` // nil if the change is PolicyOther, or if the body would have more than 1 MiB
}

// PolicyWitness is a request that exactly one of the two policies accepts.
type PolicyWitness struct {
	Body string `json:"body"`
	Now  string `json:"now"` // empty if the difference does not depend on the time
}

// CardInfo describes the card to which the digits typed so far belong.
type CardInfo struct {
	Scheme  string `json:"scheme"`
	Lengths []int  `json:"lengths"`
	Gaps    []int  `json:"gaps"`
	Code    *struct {
		Name   string `json:"name"`
		Length int    `json:"length"`
	} `json:"code"`
	Possible bool   `json:"possible"`
	Valid    bool   `json:"valid"`
	Masked   string `json:"masked"`
}
