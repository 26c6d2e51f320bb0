//go:build !cgo

package payspec

// The library is C. Without cgo, this is the first error of the compiler.
const _ = payspec_needs_cgo__set_CGO_ENABLED_1_and_install_a_C_compiler
