package payspec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"payspec.example/payspec"
)

var (
	body = []byte(`{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50",` +
		`"merchant_id":"<&> shop-42","user_name":"Анна"}`)
	// It expires in December 2030.
	card = []byte(`{"payment_type":"pay_in","mode":"ACQUIRING","cur":"RUB","amount":"100.00","subtype":"bank_card","host2host":true,` +
		`"pay_in_details":{"card":{"card_holder":"IVAN PETROV","card_number":"4111111111111111","expiry_year":2030,"expiry_month":12,` +
		`"security_code":"123"}}}`)
	now = time.Date(2026, 11, 20, 10, 15, 30, 250_000_000, time.UTC)
)

const uid = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11"

var checked = payspec.Authorization{CheckedByCaller: true}

func newContext() payspec.CreateContext {
	return payspec.CreateContext{UID: uid, Now: now, Authorization: checked}
}

func engine(t testing.TB) *payspec.Engine {
	t.Helper()
	e, err := payspec.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func ExampleEngine_ValidateRequest() {
	e, err := payspec.New(nil)
	if err != nil {
		panic(err)
	}
	defer e.Close()
	report, _ := e.ValidateRequest([]byte(`{"payment_type":"pay_out","cur":"RUB","amount":"1,5"}`), time.Time{})
	for _, violation := range report.Violations {
		fmt.Println(violation.Path, violation.Code)
	}
	// Output:
	// /mode missing
	// /amount amount_syntax
	// /subtype missing
}

// A gateway: the credential, the key, the record, and the exact answer.
func ExampleEngine_CreatePayment() {
	e, err := payspec.New(nil)
	if err != nil {
		panic(err)
	}
	defer e.Close()
	now := time.Date(2026, 11, 20, 10, 15, 30, 0, time.UTC) // time.Now()
	records := map[string]*payspec.Record{}                 // a table with a unique key
	request := []byte(`{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}`)
	for n := 0; n < 2; n++ {
		key, rejected, err := e.IdempotencyKey([]byte(`"order-7"`))
		if err != nil || rejected != nil {
			panic("send rejected.Status and rejected.Body")
		}
		outcome, err := e.CreatePayment(request, payspec.CreateContext{
			UID:           "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11", // a new UUID
			Now:           now,
			Authorization: payspec.Authorization{Header: "Bearer abc", Accepted: true},
			Idempotency:   &payspec.Idempotency{Key: key, Existing: records[key]},
		})
		if err != nil {
			panic(err) // a caller error
		}
		if record := outcome.Record(now); record != nil {
			records[key] = record
		}
		fmt.Println(outcome.Status, outcome.Replayed, len(outcome.Body))
	}
	// Output:
	// 201 false 472
	// 201 true 472
}

func TestCreatePayment(t *testing.T) {
	e := engine(t)
	context := newContext()
	context.Idempotency = &payspec.Idempotency{Key: "order-1"}
	first, err := e.CreatePayment(body, context)
	if err != nil || first.Status != 201 || !first.OK() || first.Replayed || first.Problem() != nil {
		t.Fatalf("%+v %v", first, err)
	}
	context.Idempotency.Existing = first.Record(now)
	if plain, err := e.CreatePayment(body, newContext()); err != nil || plain.Record(now) != nil {
		t.Errorf("%+v %v", plain, err)
	}
	context.Now = now.Add(time.Second)
	stored, err := payspec.Marshal(context.Idempotency.Existing)
	if err == nil {
		context.Idempotency.Existing = nil
		err = json.Unmarshal(stored, &context.Idempotency.Existing)
	}
	if err != nil {
		t.Fatal(err)
	}
	again, err := e.CreatePayment(body, context)
	if err != nil || !again.Replayed || string(again.Body) != string(first.Body) || again.Record(now) != nil {
		t.Fatalf("%+v %v", again, err)
	}
	context.Now = now.Add(time.Second + 1)
	late, err := e.CreatePayment(body, context)
	if err != nil || late.Status != 409 || late.Problem().Code != "idempotency_conflict" {
		t.Fatalf("%+v %v", late, err)
	}
	context.Authorization = payspec.Authorization{}
	if rejected, err := e.CreatePayment(body, context); err != nil || rejected.WWWAuthenticate != "Bearer" {
		t.Fatalf("%+v %v", rejected, err)
	}
	context.Authorization = payspec.Authorization{Header: "Bearer t", Accepted: true}
	if accepted, err := e.CreatePayment(body, context); err != nil || accepted.Status != 409 {
		t.Fatalf("%+v %v", accepted, err)
	}
}

// A forgotten time would be the year 1, which no rule of the library rejects.
func TestRejectsZeroTimes(t *testing.T) {
	e := engine(t)
	quote := &payspec.Quote{Currency: "RUB", Rate: "92.45", AsOf: now}
	for path, context := range map[string]payspec.CreateContext{
		"/now":                             {},
		"/quote/as_of":                     {Now: now, Quote: &payspec.Quote{Currency: "RUB", Rate: "92.45"}},
		"/idempotency/existing/created_at": {Now: now, Idempotency: &payspec.Idempotency{Existing: &payspec.Record{}}},
	} {
		context.UID, context.Authorization = uid, checked
		outcome, err := e.CreatePayment(body, context)
		isError(t, "context", path, err)
		if outcome != nil {
			t.Error(path, outcome.Status)
		}
	}
	_, err := e.CheckIdempotency(time.Time{}, "", nil)
	isError(t, "context", "/now", err)
	_, err = e.SignWebhook(body, "evt_1", time.Time{}, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	isError(t, "context", "/timestamp", err)
	_, err = e.VerifyWebhook(body, nil, time.Time{}, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	isError(t, "context", "/now", err)
	_, err = e.AdvancePayment(payspec.AdvanceContext{Payment: json.RawMessage("{}"), To: payspec.StateRouted})
	isError(t, "context", "/at", err)
	_, err = e.Convert(payspec.ConvertContext{Amount: "1", Currency: "RUB", Quote: &payspec.Quote{AsOf: now}})
	isError(t, "context", "/quote/currency", err)
	converted, err := e.Convert(payspec.ConvertContext{Amount: "92.45", Currency: "RUB", Quote: quote, Now: &now})
	if err != nil || !strings.Contains(string(converted.Body), `"amount":"1.000000"`) {
		t.Errorf("%+v %v", converted, err)
	}
	_, err = e.CreatePayment(body, nil)
	isError(t, "context", "", err)
}

func TestClosedEngine(t *testing.T) {
	e := engine(t)
	e.Close()
	_, err := e.CreatePayment(body, newContext())
	if !errors.Is(err, payspec.ErrClosed) {
		t.Error(err)
	}
	var none *payspec.Engine
	if _, err := none.Accepts(body, now); !errors.Is(err, payspec.ErrClosed) {
		t.Error(err)
	}
	if _, err := none.ValidateRequest(body, now); !errors.Is(err, payspec.ErrClosed) {
		t.Error(err)
	}
	if _, err := none.Batch("redact", nil, nil); !errors.Is(err, payspec.ErrClosed) {
		t.Error(err)
	}
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

// The constants are the names of the library.
func TestConstants(t *testing.T) {
	e := engine(t)
	states, err := e.States()
	if err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{payspec.StateIdle, payspec.StateRouted, payspec.StateCompleted, payspec.StateNotFully,
		payspec.StateFail, payspec.StateCancel, payspec.StateChargeback, payspec.StateCorrection} {
		if !strings.Contains(string(states), `"state":"`+state+`"`) {
			t.Error(state)
		}
		if transition, err := e.CheckTransition(state, state); err != nil || transition.Verdict != payspec.TransitionUnchanged {
			t.Errorf("%+v %v", transition, err)
		}
	}
	record := &payspec.Record{CreatedAt: now, Fingerprint: "a"}
	for verdict, existing := range map[string]*payspec.Record{
		payspec.VerdictNew: nil, payspec.VerdictInProgress: record,
		payspec.VerdictMismatch: {CreatedAt: now, Fingerprint: "b"},
		payspec.VerdictConflict: {CreatedAt: now.Add(-time.Hour), Fingerprint: "a"},
		payspec.VerdictReplay:   {CreatedAt: now, Fingerprint: "a", Payment: json.RawMessage(`{"uid":"` + uid + `"}`)},
	} {
		if found, err := e.CheckIdempotency(now, "a", existing); err != nil || found != verdict {
			t.Error(found, verdict, err)
		}
	}
}

func TestDistinguishesAbsentFromEmpty(t *testing.T) {
	e := engine(t)
	create := func(context payspec.CreateContext) (*payspec.Outcome, error) {
		context.UID, context.Now, context.Authorization = uid, now, checked
		return e.CreatePayment(body, context)
	}
	if rejected, err := create(payspec.CreateContext{Refusal: payspec.Ptr("")}); err != nil || rejected.Status != 455 {
		t.Errorf("%+v %v", rejected, err)
	}
	for path, context := range map[string]payspec.CreateContext{
		"/url":                       {URL: payspec.Ptr("")},
		"/charges/fee":               {Charges: &payspec.Charges{Fee: payspec.Ptr(""), Commission: payspec.Ptr("1.00")}},
		"/charges/commission":        {Charges: &payspec.Charges{Commission: payspec.Ptr("")}},
		"/charges/shared_commission": {Charges: &payspec.Charges{SharedCommission: payspec.Ptr("")}},
	} {
		outcome, err := create(context)
		isError(t, "context", path, err)
		if outcome != nil {
			t.Error(path, outcome.Status)
		}
	}
	text, err := payspec.Marshal(payspec.CreateContext{Now: now, MerchantID: payspec.Ptr(""), Form: payspec.Ptr("")})
	if err != nil || !strings.Contains(string(text), `"form":"","merchant_id":""`) {
		t.Errorf("%s %v", text, err)
	}
	charges := &payspec.Charges{
		Fee: payspec.Ptr("1.00"), Commission: payspec.Ptr("2.00"), SharedCommission: payspec.Ptr("0.50"),
	}
	charged, err := create(payspec.CreateContext{Charges: charges, URL: payspec.Ptr("https://shop.example/pay")})
	if err != nil || charged.Status != 201 || !strings.Contains(string(charged.Body), `"total":"993.50"`) {
		t.Errorf("%+v %v", charged, err)
	}
}

func TestRejectsTextThatIsNotUTF8(t *testing.T) {
	e, broken := engine(t), "a\xff"
	for path, context := range map[string]payspec.CreateContext{
		"/uid":         {UID: broken},
		"/url":         {URL: &broken},
		"/form":        {Form: &broken},
		"/merchant_id": {MerchantID: &broken},
		"/refusal":     {Refusal: &broken},
		"/quote/rate":  {Quote: &payspec.Quote{Rate: broken}},
		"/charges/fee": {Charges: &payspec.Charges{Fee: &broken}},
		"/idempotency/existing/fingerprint": {
			Idempotency: &payspec.Idempotency{Existing: &payspec.Record{CreatedAt: now, Fingerprint: broken}},
		},
	} {
		context.Now = now
		_, err := e.CreatePayment(body, context)
		isError(t, "utf8", path, err)
	}
	_, err := e.CreatePayment(body, map[string]any{"uid": uid, "list": []any{1, map[string]string{"~/": broken}}})
	isError(t, "utf8", "/list/1/~0~1", err)
	_, err = e.ReadPayment(map[string]any{broken: 1})
	isError(t, "utf8", "", err)
	_, err = e.CheckTransition("idle", broken)
	isError(t, "utf8", "/to", err)
	_, err = e.CheckIdempotency(now, broken, nil)
	isError(t, "utf8", "/fingerprint", err)
	for status, context := range map[int]payspec.CreateContext{
		401: {Authorization: payspec.Authorization{Header: "Bearer " + broken, Accepted: true}},
		400: {Authorization: checked, Idempotency: &payspec.Idempotency{Key: broken}},
	} {
		context.UID, context.Now = uid, now
		if outcome, err := e.CreatePayment(body, context); err != nil || outcome.Status != status {
			t.Errorf("%d: %+v %v", status, outcome, err)
		}
	}
}

// A uid comes from a path, so a client chooses its bytes.
func TestAnswersAUIDThatIsNotUTF8With404(t *testing.T) {
	e, broken := engine(t), "a\xff"
	members := map[string]any{"uid": broken, "payment": nil, "authorization": checked}
	for _, context := range []any{payspec.ReadContext{UID: broken, Authorization: checked}, members} {
		outcome, err := e.ReadPayment(context)
		if err != nil || outcome.Status != 404 || outcome.Problem().Code != "payment_not_found" {
			t.Errorf("%+v %v", outcome, err)
		}
	}
	if members["uid"] != broken {
		t.Error("the map of the caller was changed")
	}
}

// A credential of one merchant creates no payment of another one.
func TestAllowedMerchantIDs(t *testing.T) {
	e, context := engine(t), newContext()
	for status, ids := range map[int][][]string{201: {nil, {"a", "<&> shop-42"}}, 422: {{}, {"a"}}} {
		for _, allowed := range ids {
			context.AllowedMerchantIDs = allowed
			created, err := e.CreatePayment(body, context)
			if err != nil || created.Status != status {
				t.Errorf("%q: %+v %v", allowed, created, err)
			} else if status == 422 && created.Problem().Violations[0].Code != "merchant_not_allowed" {
				t.Errorf("%q: %s", allowed, created.Body)
			}
		}
	}
	context.AllowedMerchantIDs = []string{"a\xff"}
	_, err := e.CreatePayment(body, context)
	isError(t, "utf8", "/allowed_merchant_ids/0", err)
}

func TestInfoIsPartOfTheAnswer(t *testing.T) {
	e, context := engine(t), newContext()
	context.Info = json.RawMessage(`{"bank":"<x>"}`)
	created, err := e.CreatePayment(card, context)
	if err != nil || !strings.Contains(string(created.Body), `"card_number":"411111******1111","bank":"<x>"`) {
		t.Errorf("%+v %v", created, err)
	}
}

// Whitespace, escapes, and numbers of a stored payment are preserved.
func TestReturnsStoredPaymentByteForByte(t *testing.T) {
	e := engine(t)
	context := newContext()
	context.Idempotency = &payspec.Idempotency{Key: "order-1"}
	created, err := e.CreatePayment(body, context)
	if err != nil {
		t.Fatal(err)
	}
	odd := "{ \"a\" : \"<&>\\u003c\u2028\",\n\"n\":1.50e1 }"
	payment := json.RawMessage("{ \"info\" : " + odd + ",\n" + string(created.Body[1:]))
	record := &payspec.Record{CreatedAt: now, Fingerprint: created.Fingerprint, Payment: payment}
	text, err := payspec.Marshal(record)
	if err != nil || !strings.Contains(string(text), string(payment)) {
		t.Fatalf("%s %v", text, err)
	}
	context.Idempotency.Existing = record
	replayed, err := e.CreatePayment(body, context)
	if err != nil || !replayed.Replayed || string(replayed.Body) != string(payment) {
		t.Errorf("%s %v", replayed.Body, err)
	}
	read, err := e.ReadPayment(map[string]any{"uid": uid, "payment": payment, "authorization": checked})
	if err != nil || string(read.Body) != string(payment) {
		t.Errorf("%s %v", read.Body, err)
	}
	payment = append(json.RawMessage("{ \"extra\" : "+odd+",\n"), created.Body[1:]...)
	advanced, err := e.AdvancePayment(map[string]any{"payment": payment, "to": "routed", "at": now})
	if err != nil || advanced.Status != 200 || !strings.Contains(string(advanced.Body), odd) {
		t.Errorf("%s %v", advanced.Body, err)
	}
	balance := json.RawMessage("{ \"cur\" : \"RUB\", \"note\": \"\\u003c<\" }")
	read, err = e.ReadBalance(map[string]any{"balance": balance, "authorization": checked})
	if err != nil || string(read.Body) != string(balance) {
		t.Errorf("%s %v", read.Body, err)
	}
	if verdict, err := e.CheckIdempotency(now, created.Fingerprint, record); err != nil || verdict != "replay" {
		t.Error(verdict, err)
	}
}

// Except for whitespace, escapes, and texts that are not UTF-8, Marshal writes what encoding/json writes.
func TestMarshal(t *testing.T) {
	type Inner struct {
		A int `json:"a"`
		B string
	}
	type named string
	var none *payspec.Quote
	for _, value := range []any{
		nil, none, 1, -1.5, true, "", "a\"\n\u2028", named("x"), json.Number("1.50"), []byte("x"),
		[]int(nil), []int{}, [2]bool{}, map[string]int(nil), map[string]int{"b": 1, "a": 2}, now, &now, time.Duration(3), json.RawMessage(nil), &none,
		struct {
			Inner
			C    *Inner          `json:"c,omitempty"`
			D    []int           `json:",omitempty"`
			E    json.RawMessage `json:"e,omitempty"`
			F    time.Time       `json:"f,omitempty"`
			G    any             `json:"-"`
			H    any             `json:"h"`
			none int
		}{F: now},
		struct{ C, D any }{&Inner{1, "x"}, []any{Inner{}, nil, map[named]*Inner{"k": nil}}},
		payspec.CreateContext{Now: now, Idempotency: &payspec.Idempotency{}, Authorization: payspec.Authorization{}},
		checked,
	} {
		want, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if raw, is := value.(json.RawMessage); is {
			value = []any{raw}
			want = []byte("[" + string(want) + "]")
		}
		if text, err := payspec.Marshal(value); err != nil || string(text) != string(want) {
			t.Errorf("%s, not %s: %v", text, want, err)
		}
	}
	loop := map[string]any{}
	loop["loop"] = loop
	_, err := payspec.Marshal(loop)
	isError(t, "context", "", err)
	_, err = payspec.Marshal(map[string]any{"a": json.RawMessage(`1,"b":2`)})
	isError(t, "context", "/a", err)
	for _, value := range []any{make(chan int), map[int]int{1: 1}, math.NaN(), time.Time{}.AddDate(10_000, 0, 0)} {
		if text, err := payspec.Marshal(value); err == nil {
			t.Errorf("%s", text)
		}
	}
}

func TestProblemReportsTruncation(t *testing.T) {
	e, err := payspec.New([]byte(`{"limits":{"violations":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	outcome, err := e.CreatePayment([]byte("{}"), newContext())
	if err != nil || !outcome.Problem().Truncated || len(outcome.Problem().Violations) != 1 {
		t.Errorf("%+v %v", outcome, err)
	}
}

func TestClosesEngineNotCreatedByNew(t *testing.T) {
	var program struct {
		name   string
		engine payspec.Engine // not at the start of its memory block, so it cannot have a finalizer
	}
	if err := program.engine.Close(); err != nil {
		t.Error(err)
	}
	_, err := program.engine.Accepts(body, now)
	isError(t, "closed", "", err)
}

func isError(t *testing.T, code, path string, err error) {
	t.Helper()
	var found *payspec.Error
	if !errors.As(err, &found) || found.Code != code || found.Path != path {
		t.Errorf("%v, not %s at %q", err, code, path)
	}
}

func TestAnswersAnyInputOfAClient(t *testing.T) {
	e := engine(t)
	for _, sent := range [][]byte{nil, {}, {0xff}, {0}, []byte("[]"), make([]byte, 100_000)} {
		report, err := e.ValidateRequest(sent, now)
		if err != nil || report.Valid || len(report.Violations) == 0 {
			t.Errorf("%.9q: %+v %v", sent, report, err)
		}
		if accepted, err := e.Accepts(sent, now); err != nil || accepted {
			t.Errorf("%.9q: %v", sent, err)
		}
		outcome, err := e.CreatePayment(sent, newContext())
		if err != nil || outcome.OK() || outcome.Problem() == nil {
			t.Errorf("%.9q: %+v %v", sent, outcome, err)
		}
		if _, rejected, err := e.FingerprintRequest(sent); err != nil || rejected == nil {
			t.Errorf("%.9q: %v", sent, err)
		}
	}
}

func TestAcceptsExpiredCardsOnlyWithoutATime(t *testing.T) {
	e := engine(t)
	for _, at := range []struct {
		now      time.Time
		accepted bool
	}{{time.Time{}, true}, {time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), true}, {time.Date(2031, 2, 1, 0, 0, 0, 0, time.UTC), false}} {
		report, err := e.ValidateRequest(card, at.now)
		if err != nil || report.Valid != at.accepted {
			t.Errorf("%v: %+v %v", at.now, report, err)
		}
		if accepted, err := e.Accepts(card, at.now); err != nil || accepted != at.accepted {
			t.Errorf("%v: %v %v", at.now, accepted, err)
		}
	}
	_, err := e.Accepts(card, time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC))
	isError(t, "context", "/now", err)
}

func TestCallerErrors(t *testing.T) {
	e := engine(t)
	_, err := payspec.New([]byte(`{"colour":"blue"}`))
	isError(t, "policy", "/colour", err)
	_, err = payspec.New([]byte{})
	isError(t, "policy", "", err)
	_, err = e.CreatePayment(body, payspec.CreateContext{UID: "7", Now: now})
	isError(t, "context", "/uid", err)
	_, _, err = e.Call("create_payment", body)
	isError(t, "argument", "/context", err)
	_, _, err = e.Call("upgrade_request", []byte("pay_in\xff"), body)
	if err == nil {
		t.Error("a kind that is not UTF-8")
	}
	for _, inputs := range [][][]byte{{body, nil, nil}} {
		if _, _, err := e.Call("validate_request", inputs...); err == nil {
			t.Error("too many inputs")
		}
	}
	if _, _, err := e.Call("validateRequest", body); err == nil {
		t.Error("an unknown operation")
	}
	e.Close()
	_, err = e.ValidateRequest(body, now)
	isError(t, "closed", "", err)
	_, err = e.Accepts(body, now)
	isError(t, "closed", "", err)
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

func TestEveryOperationAnswers(t *testing.T) {
	e := engine(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	status := func(outcome *payspec.Outcome, err error) int {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return outcome.Status
	}
	created, err := e.CreatePayment(body, newContext())
	must(err)
	payment := created.Body
	report, err := e.CheckPayment(payment, body)
	if err != nil || !report.Valid {
		t.Errorf("%+v %v", report, err)
	}
	quote := payspec.Quote{Currency: "RUB", Rate: "92.45", AsOf: now}
	for name, got := range map[string]int{
		"read":    status(e.ReadPayment(map[string]any{"uid": uid, "payment": payment, "authorization": checked})),
		"balance": status(e.ReadBalance(json.RawMessage(`{"balance":{"cur":"RUB"},"authorization":"checked_by_caller"}`))),
		"convert": status(e.Convert(map[string]any{"amount": "1", "currency": "RUB", "quote": quote, "now": now})),
		"advance": status(e.AdvancePayment(map[string]any{"payment": payment, "to": "routed", "at": now})),
	} {
		if got != 200 {
			t.Error(name, got)
		}
	}
	if fields, rejected, err := e.FieldCurrencies(payment); err != nil || rejected != nil || fields["amount"] != "RUB" {
		t.Error(fields, rejected, err)
	}
	if step, err := e.CheckTransition("idle", "idle"); err != nil || step.Verdict != "unchanged" {
		t.Error(step, err)
	}
	fingerprint, _, err := e.FingerprintRequest(body)
	must(err)
	if verdict, err := e.CheckIdempotency(now, fingerprint, nil); err != nil || verdict != "new" {
		t.Error(verdict, err)
	}
	if key, rejected, err := e.IdempotencyKey([]byte(`"k"`)); err != nil || rejected != nil || key != "k" {
		t.Error(key, rejected, err)
	}
	if _, rejected, err := e.IdempotencyKey([]byte{}); err != nil || rejected == nil || rejected.Status != 400 {
		t.Error(rejected, err)
	}
	if key, rejected, err := e.IdempotencyKey(nil); err != nil || rejected != nil || key != "" {
		t.Error(key, rejected, err)
	}
	secret := "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	headers, err := e.SignWebhook(body, "evt_1", now, secret)
	must(err)
	if reason, err := e.VerifyWebhook(body, headers, now, secret); err != nil || reason != "" {
		t.Error(reason, err)
	}
	if reason, err := e.VerifyWebhook(nil, headers, now, secret); err != nil || reason != "signature" {
		t.Error(reason, err)
	}
	if token, rejected, err := e.Authorize([]byte("Bearer abc")); err != nil || rejected != nil || token != "abc" {
		t.Error(token, rejected, err)
	}
	if _, rejected, err := e.Authorize(nil); err != nil || rejected == nil || rejected.Status != 401 {
		t.Error(rejected, err)
	}
	if up, rejected, err := e.UpgradeRequest("pay_in", body); err != nil || rejected != nil || up == nil {
		t.Error(up, rejected, err)
	}
	if up, rejected, err := e.UpgradeRequest("pay_in", []byte("[]")); err != nil || rejected == nil || up != nil {
		t.Error(up, rejected, err)
	}
	stored := "{ \"uid\": \"" + uid + "\", \"a\": \"\u2028<&>\" }"
	spaced := json.RawMessage("{ \"uid\": \"" + uid + "\", \"authorization\": \"checked_by_caller\", \"payment\": " + stored + " }")
	if read, err := e.ReadPayment(spaced); err != nil || string(read.Body) != stored {
		t.Error(read, err)
	}
	_, _, err = e.DowngradeRequest(body)
	must(err)
	if balance, _, err := e.UpgradeBalance([]byte(`{"currency":"RUB"}`)); err != nil || string(balance.Body) != `{"cur":"RUB"}` {
		t.Error(balance, err)
	}
	if balance, _, err := e.DowngradeBalance([]byte(`{"cur":"RUB"}`)); err != nil || string(balance.Body) != `{"currency":"RUB"}` {
		t.Error(balance, err)
	}
	_, _, err = e.UpgradePayment(payment)
	must(err)
	_, _, err = e.DowngradePayment(payment)
	must(err)
	if text, err := e.Redact([]byte(`{"security_code":"123"}`)); err != nil || string(text) != `{"security_code":"***"}` {
		t.Error(string(text), err)
	}
	if card, err := e.CardInfo(""); err != nil || card.Scheme != "" {
		t.Error(card, err)
	}
	if card, err := e.CardInfo("4111"); err != nil || card.Scheme != "visa" || card.Code.Length != 3 {
		t.Error(card, err)
	}
	comparison, err := e.ComparePolicies(json.RawMessage(`{"currencies":["RUB"]}`), nil)
	must(err)
	witness := comparison.Differences[0].Witness
	if report, err := e.ValidateRequest([]byte(witness.Body), time.Time{}); err != nil || comparison.Relation != payspec.PolicyWider || !report.Valid {
		t.Error(comparison, report, err)
	}
	for _, list := range []func() (json.RawMessage, error){e.States, e.Rules, e.Decisions, e.OpenAPI} {
		if text, err := list(); err != nil || !json.Valid(text) {
			t.Error(string(text), err)
		}
	}
}

// One goroutine closes the engine that the others use; the garbage collector frees an engine that is never closed.
func TestGoroutines(t *testing.T) {
	e := engine(t)
	var all sync.WaitGroup
	for n := 0; n < 8; n++ {
		sent := []byte(fmt.Sprintf(`[%d]`, n))
		if n%2 == 0 {
			sent = body
		}
		all.Add(1)
		go func(valid bool) {
			defer all.Done()
			for i := 0; i < 5000; i++ {
				report, err := e.ValidateRequest(sent, time.Time{})
				var callerError *payspec.Error
				if errors.As(err, &callerError) && callerError.Code == "closed" {
					return
				}
				if err != nil || report.Valid != valid {
					t.Errorf("%+v %v", report, err)
					return
				}
			}
		}(n%2 == 0)
	}
	time.Sleep(5 * time.Millisecond)
	e.Close()
	all.Wait()
	for i := 0; i < 1000; i++ {
		lost, err := payspec.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		if accepted, err := lost.Accepts(body, time.Time{}); err != nil || !accepted {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.GC()
}

// The shared vectors: every call has the same answer as in the other bindings, byte for byte.
type vector struct {
	Name    string
	Policy  *string
	Inputs  []input
	Returns int
	Answer  string
}

type vectorFile struct {
	Operation string
	Vectors   []vector
}

func vectorFiles(t *testing.T) []vectorFile {
	t.Helper()
	folder := os.Getenv("PAYSPEC_VECTORS")
	if folder == "" {
		folder = "../../tests/vectors"
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no vectors", err)
	}
	files := make([]vectorFile, len(paths))
	for n, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &files[n]); err != nil {
			t.Fatal(path, err)
		}
	}
	return files
}

// Vectors with the same operation, policy, and second input have the same answers in one batch.
func TestVectorsInBatches(t *testing.T) {
	inputs := map[string]int{"validate_request": 2, "create_payment": 2, "check_payment": 2, "field_currencies": 1,
		"fingerprint_request": 1, "downgrade_request": 1, "upgrade_balance": 1, "downgrade_balance": 1, "upgrade_payment": 1, "downgrade_payment": 1, "redact": 1, "sign_webhook": 2,
		"verify_webhook": 2, "locate": 2}
	total := 0
	for _, file := range vectorFiles(t) {
		batches := map[string][]vector{}
		for _, vector := range file.Vectors {
			if len(vector.Inputs) == 0 || vector.Inputs[0] == nil || len(vector.Inputs) > inputs[file.Operation] {
				continue
			}
			key := fmt.Sprintf("%#v %#v", vector.policy(), vector.shared())
			batches[key] = append(batches[key], vector)
		}
		for _, batch := range batches {
			bodies := make([][]byte, len(batch))
			for n := range batch {
				bodies[n] = batch[n].Inputs[0]
			}
			answers, err := together(batch[0].policy(), file.Operation, bodies, batch[0].shared())
			for n, vector := range batch {
				returns, answer := result(nil, false, err)
				if err == nil {
					returns, answer = result(answers[n].JSON, answers[n].Accepted, nil)
				}
				if returns != vector.Returns || answer != vector.Answer {
					t.Errorf("%s: %d, not %d\n%s\nnot\n%s", vector.Name, returns, vector.Returns, answer, vector.Answer)
				}
				total++
			}
		}
	}
	if total < 1000 {
		t.Error(total, "vectors")
	}
}

func (v vector) policy() []byte {
	if v.Policy == nil {
		return nil
	}
	return []byte(*v.Policy)
}

func (v vector) shared() []byte {
	if len(v.Inputs) < 2 {
		return nil
	}
	return v.Inputs[1]
}

func together(policy []byte, operation string, bodies [][]byte, shared []byte) ([]payspec.Answer, error) {
	e, err := payspec.New(policy)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.Batch(operation, bodies, shared)
}

func TestBatch(t *testing.T) {
	e := engine(t)
	if answers, err := e.Batch("redact", nil, nil); err != nil || len(answers) != 0 {
		t.Error(answers, err)
	}
	answers, err := e.Batch("validate_request", [][]byte{body, nil, {}}, nil)
	if err != nil || len(answers) != 3 || !answers[0].Accepted || answers[1].Accepted || answers[2].Accepted {
		t.Fatal(answers, err)
	}
	_, err = e.Batch("convert", [][]byte{body}, nil)
	isError(t, "argument", "/operation", err)
	_, err = e.Batch("locate", [][]byte{body}, []byte("amount"))
	isError(t, "context", "/pointer", err)
	e.Close()
	_, err = e.Batch("redact", nil, nil)
	isError(t, "closed", "", err)
}

func TestVectors(t *testing.T) {
	passed, failed := 0, 0
	for _, file := range vectorFiles(t) {
		for _, vector := range file.Vectors {
			returns, answer := call(vector.policy(), file.Operation, vector.Inputs)
			if returns != vector.Returns || answer != vector.Answer {
				failed++
				t.Errorf("%s: %d, not %d\n%s\nnot\n%s", vector.Name, returns, vector.Returns, answer, vector.Answer)
			} else {
				passed++
			}
		}
	}
	if passed == 0 {
		t.Error("no vector was run")
	}
	fmt.Printf("vectors: %d passed, %d failed\n", passed, failed)
}

// input is a text, null, or {"hex":"ff"}.
type input []byte

func (i *input) UnmarshalJSON(text []byte) error {
	var hex struct{ Hex string }
	var plain *string
	if err := json.Unmarshal(text, &plain); err == nil {
		if *i = nil; plain != nil {
			*i = append(make([]byte, 0, 1), *plain...)
		}
		return nil
	}
	if err := json.Unmarshal(text, &hex); err != nil {
		return err
	}
	_, err := fmt.Sscanf(hex.Hex, "%x", (*[]byte)(i))
	return err
}

func call(policy []byte, operation string, inputs []input) (int, string) {
	return result(func() ([]byte, bool, error) {
		e, err := payspec.New(policy)
		if err != nil {
			return nil, false, err
		}
		defer e.Close()
		given := make([][]byte, len(inputs))
		for n := range inputs {
			given[n] = inputs[n]
		}
		return e.Call(operation, given...)
	}())
}

// result returns the return code and the buffer of the C function.
func result(answer []byte, accepted bool, err error) (int, string) {
	var callerError *payspec.Error
	switch {
	case errors.As(err, &callerError):
		text, _ := json.Marshal(map[string]*payspec.Error{"error": callerError})
		return map[string]int{"argument": -1, "utf8": -2, "panic": -3, "context": -4, "policy": -5}[callerError.Code], string(text)
	case err != nil:
		return -100, err.Error()
	case accepted:
		return 0, string(answer)
	}
	return 1, string(answer)
}
