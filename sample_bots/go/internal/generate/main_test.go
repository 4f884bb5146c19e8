package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The committed code is what the .proto files generate.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	target := t.TempDir()
	if err := generate(root, target); errors.Is(err, errNoCompiler) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	fresh, _ := filepath.Glob(filepath.Join(target, "euchrev1", "*.pb.go"))
	if len(fresh) == 0 {
		t.Fatal("nothing was generated")
	}
	for _, path := range fresh {
		name := filepath.Base(path)
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found, err := os.ReadFile(filepath.Join(root, "euchrev1", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(found, want) {
			t.Errorf("euchrev1/%s is stale; run go generate ./...", name)
		}
	}
}
