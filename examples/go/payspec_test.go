package payspec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"payspec.example/payspec"
)

var (
	body = []byte(`{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50",` +
		`"merchant_id":"<&> shop-42","user_name":"Анна"}`)
	now = time.Date(2026, 11, 20, 10, 15, 30, 250_000_000, time.UTC)
)

const uid = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11"

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

func TestCreatePayment(t *testing.T) {
	e := engine(t)
	context := payspec.CreateContext{UID: uid, Now: now, Idempotency: &payspec.Idempotency{Key: "order-1"}}
	first, err := e.CreatePayment(body, context)
	if err != nil || first.Status != 201 || !first.OK() || first.Replayed || first.Problem() != nil {
		t.Fatalf("%+v %v", first, err)
	}
	context.Idempotency.Existing = &payspec.Record{CreatedAt: now, Fingerprint: first.Fingerprint, Payment: first.Body}
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
	if err != nil || !again.Replayed || string(again.Body) != string(first.Body) {
		t.Fatalf("%+v %v", again, err)
	}
	context.Now = now.Add(time.Second + 1)
	late, err := e.CreatePayment(body, context)
	if err != nil || late.Status != 409 || late.Problem().Code != "idempotency_conflict" {
		t.Fatalf("%+v %v", late, err)
	}
	context.Authorization = &payspec.Authorization{}
	if stranger, err := e.CreatePayment(body, context); err != nil || stranger.WWWAuthenticate != "Bearer" {
		t.Fatalf("%+v %v", stranger, err)
	}
}

func TestWhateverAClientSendsIsAnAnswer(t *testing.T) {
	e := engine(t)
	for _, sent := range [][]byte{nil, {}, {0xff}, {0}, []byte("[]"), make([]byte, 100_000)} {
		report, err := e.ValidateRequest(sent, now)
		if err != nil || report.Valid || len(report.Violations) == 0 {
			t.Errorf("%.9q: %+v %v", sent, report, err)
		}
		if accepted, err := e.Accepts(sent); err != nil || accepted {
			t.Errorf("%.9q: %v", sent, err)
		}
		outcome, err := e.CreatePayment(sent, payspec.CreateContext{UID: uid, Now: now})
		if err != nil || outcome.OK() || outcome.Problem() == nil {
			t.Errorf("%.9q: %+v %v", sent, outcome, err)
		}
		if _, rejected, err := e.FingerprintRequest(sent); err != nil || rejected == nil {
			t.Errorf("%.9q: %v", sent, err)
		}
	}
}

func TestMisuseIsAnError(t *testing.T) {
	e := engine(t)
	misuse := func(code, path string, err error) {
		t.Helper()
		var found *payspec.Error
		if !errors.As(err, &found) || found.Code != code || found.Path != path {
			t.Errorf("%v, not %s at %q", err, code, path)
		}
	}
	_, err := payspec.New([]byte(`{"colour":"blue"}`))
	misuse("policy", "/colour", err)
	_, err = payspec.New([]byte{})
	misuse("policy", "", err)
	_, err = e.CreatePayment(body, payspec.CreateContext{UID: "7", Now: now})
	misuse("context", "/uid", err)
	_, _, err = e.Call("create_payment", body)
	misuse("null", "/context", err)
	_, _, err = e.Call("upgrade_request", []byte("pay_in\xff"), body)
	if err == nil {
		t.Error("a kind that is no UTF-8")
	}
	for _, inputs := range [][][]byte{{body, nil, nil}} {
		if _, _, err := e.Call("validate_request", inputs...); err == nil {
			t.Error("too many inputs")
		}
	}
	if _, _, err := e.Call("validateRequest", body); err == nil {
		t.Error("an operation that is none")
	}
	e.Close()
	_, err = e.ValidateRequest(body, now)
	misuse("closed", "", err)
	_, err = e.Accepts(body)
	misuse("closed", "", err)
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
	created, err := e.CreatePayment(body, payspec.CreateContext{UID: uid, Now: now})
	must(err)
	payment := created.Body
	report, err := e.CheckPayment(payment, body)
	if err != nil || !report.Valid {
		t.Errorf("%+v %v", report, err)
	}
	quote := payspec.Quote{Currency: "RUB", Rate: "92.45", AsOf: now}
	for name, got := range map[string]int{
		"read":    status(e.ReadPayment(map[string]any{"uid": uid, "payment": payment})),
		"balance": status(e.ReadBalance(json.RawMessage(`{"balance":{"cur":"RUB"}}`))),
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
	spaced := json.RawMessage("{ \"uid\": \"" + uid + "\", \"payment\": { \"a\": \"\u2028<&>\" } }")
	if read, err := e.ReadPayment(spaced); err != nil || string(read.Body) != "{ \"a\": \"\u2028<&>\" }" {
		t.Error(read, err)
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
	for _, list := range []func() (json.RawMessage, error){e.States, e.Rules, e.Decisions, e.OpenAPI} {
		if text, err := list(); err != nil || !json.Valid(text) {
			t.Error(string(text), err)
		}
	}
}

// One goroutine closes the engine that the others use; what nobody closes is freed with the garbage.
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
				var misuse *payspec.Error
				if errors.As(err, &misuse) && misuse.Code == "closed" {
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
		if accepted, err := lost.Accepts(body); err != nil || !accepted {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.GC()
}

// The shared vectors: every call answers byte for byte what it answers through the other doors.
func TestVectors(t *testing.T) {
	folder := os.Getenv("PAYSPEC_VECTORS")
	if folder == "" {
		folder = "../../tests/vectors"
	}
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no vectors", err)
	}
	passed, failed := 0, 0
	for _, path := range files {
		var file struct {
			Operation string
			Vectors   []struct {
				Name    string
				Policy  *string
				Inputs  []input
				Returns int
				Answer  string
			}
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(path, err)
		}
		for _, vector := range file.Vectors {
			var policy []byte
			if vector.Policy != nil {
				policy = []byte(*vector.Policy)
			}
			returns, answer := call(policy, file.Operation, vector.Inputs)
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
	var misuse *payspec.Error
	answer, accepted, err := func() ([]byte, bool, error) {
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
	}()
	switch {
	case errors.As(err, &misuse):
		text, _ := json.Marshal(map[string]*payspec.Error{"error": misuse})
		return map[string]int{"null": -1, "utf8": -2, "panic": -3, "context": -4, "policy": -5}[misuse.Code], string(text)
	case err != nil:
		return -100, err.Error()
	case accepted:
		return 0, string(answer)
	}
	return 1, string(answer)
}
