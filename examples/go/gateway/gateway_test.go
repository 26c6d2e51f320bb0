package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const body = `{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}`

func post(t *testing.T, handler http.Handler, path, body string, headers map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func TestCreatesPaymentOnceForEachKey(t *testing.T) {
	handler, err := newGateway("secret")
	if err != nil {
		t.Fatal(err)
	}
	headers := map[string]string{"Authorization": "Bearer secret", "Idempotency-Key": `"order-7"`}
	first := post(t, handler, "/v1/payments/new", body, headers)
	headers["Idempotency-Key"] = "order-7"
	again := post(t, handler, "/v1/payments/new", body, headers)
	if first.Code != 201 || again.Code != 201 || first.Body.String() != again.Body.String() {
		t.Error(first, again)
	}
	if first.Header().Get("Idempotent-Replayed") != "" || again.Header().Get("Idempotent-Replayed") != "true" {
		t.Error(first.Header(), again.Header())
	}
	if other := post(t, handler, "/v1/payments/new", strings.Replace(body, "990", "991", 1), headers); other.Code != 409 {
		t.Error(other)
	}
}

func TestAnswersHostileRequests(t *testing.T) {
	handler, err := newGateway("secret")
	if err != nil {
		t.Fatal(err)
	}
	for _, authorization := range []string{"", "Bearer other", "Bearer a\xff", "\xff"} {
		headers := map[string]string{"Authorization": authorization, "Idempotency-Key": "\xff"}
		answer := post(t, handler, "/v1/payments/new", body, headers)
		if answer.Code != 401 || !strings.HasPrefix(answer.Header().Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%q: %v", authorization, answer)
		}
	}
	for _, key := range []string{"a\xff", "a b", `"`, ""} {
		headers := map[string]string{"Authorization": "Bearer secret", "Idempotency-Key": key}
		if answer := post(t, handler, "/v1/payments/new", body, headers); answer.Code != 400 {
			t.Errorf("%q: %v", key, answer)
		}
	}
	for _, sent := range []string{"", "\xff", "[]", strings.Repeat("{", 1000), strings.Repeat("x", 70_000), strings.Repeat("x", 200_000)} {
		answer := post(t, handler, "/v1/payments/new", sent, map[string]string{"Authorization": "Bearer secret"})
		if answer.Code != 400 && answer.Code != 413 && answer.Code != 422 {
			t.Errorf("%.9q: %v", sent, answer)
		}
	}
	if answer := post(t, handler, "/other", body, nil); answer.Code != 404 {
		t.Error(answer)
	}
}
