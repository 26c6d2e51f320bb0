package payspec

// #cgo pkg-config: payspec
import "C"
