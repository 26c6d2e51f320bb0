// Prints nanoseconds for a verdict and for a report as bytes. native.c does the same in C.
package main

import (
	"fmt"
	"time"

	"payspec.example/payspec"
)

const calls = 100_000

func best(run func()) int64 {
	least := int64(1 << 62)
	for round := 0; round < 5; round++ {
		start := time.Now()
		for i := 0; i < calls; i++ {
			run()
		}
		if took := time.Since(start).Nanoseconds() / calls; took < least {
			least = took
		}
	}
	return least
}

func main() {
	engine, err := payspec.New(nil)
	if err != nil {
		panic(err)
	}
	body := []byte(`{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}`)
	verdict := best(func() { engine.Accepts(body, time.Time{}) })
	report := best(func() { engine.Call("validate_request", body) })
	fmt.Println(verdict, report)
}
