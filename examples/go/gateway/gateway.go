// Command gateway is a gateway with net/http: POST /v1/payments/new.
//
//	PAYSPEC_TOKEN=secret go run ./gateway          # at 127.0.0.1:8000
package main

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"

	"payspec.example/payspec"
)

// More than the 65536 bytes of the default policy, which answers a longer body with 413.
const mostBytes = 1 << 17

type gateway struct {
	engine *payspec.Engine
	token  string

	mu      sync.Mutex                 // in a database: a transaction
	records map[string]*payspec.Record // in a database: a table with a unique key
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/payments/new" {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, mostBytes))
	if err != nil {
		return // the client is gone
	}
	outcome, err := g.newPayment(body, header(r, "Authorization"), header(r, "Idempotency-Key"))
	if err != nil {
		log.Print(err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if outcome.WWWAuthenticate != "" {
		w.Header().Set("WWW-Authenticate", outcome.WWWAuthenticate)
	}
	if outcome.Replayed {
		w.Header().Set("Idempotent-Replayed", "true")
	}
	w.WriteHeader(outcome.Status)
	w.Write(outcome.Body)
}

// header returns nil if the request has no such header.
func header(r *http.Request, name string) []byte {
	if values := r.Header.Values(name); len(values) > 0 {
		return []byte(values[0])
	}
	return nil
}

func (g *gateway) newPayment(body, authorization, keyHeader []byte) (*payspec.Outcome, error) {
	token, rejected, err := g.engine.Authorize(authorization)
	if err != nil || rejected != nil {
		return rejected, err
	}
	accepted := subtle.ConstantTimeCompare([]byte(token), []byte(g.token)) == 1
	context := payspec.CreateContext{
		UID:           newUID(),
		Now:           time.Now(),
		Authorization: payspec.Authorization{Header: string(authorization), Accepted: accepted},
		URL:           payspec.Ptr("https://pay.example/"),
	}
	if keyHeader == nil || !accepted {
		return g.engine.CreatePayment(body, context)
	}
	key, rejected, err := g.engine.IdempotencyKey(keyHeader)
	if err != nil || rejected != nil {
		return rejected, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	context.Idempotency = &payspec.Idempotency{Key: key, Existing: g.records[key]}
	outcome, err := g.engine.CreatePayment(body, context)
	if err != nil {
		return nil, err
	}
	if record := outcome.Record(context.Now); record != nil {
		g.records[key] = record
	}
	return outcome, nil
}

// newUID returns a random UUID (version 4).
func newUID() string {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(err)
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func newGateway(token string) (*gateway, error) {
	engine, err := payspec.New(nil)
	if err != nil {
		return nil, err
	}
	return &gateway{engine: engine, token: token, records: map[string]*payspec.Record{}}, nil
}

func main() {
	token := os.Getenv("PAYSPEC_TOKEN")
	if token == "" {
		log.Fatal("PAYSPEC_TOKEN is not set")
	}
	handler, err := newGateway(token)
	if err != nil {
		log.Fatal(err)
	}
	server := http.Server{Addr: "127.0.0.1:8000", Handler: handler, ReadTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
