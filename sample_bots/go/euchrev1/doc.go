// Package euchrev1 is the wire contract euchre.v1, generated from the .proto files; their comments are its manual.
package euchrev1

//go:generate go run ../internal/generate
