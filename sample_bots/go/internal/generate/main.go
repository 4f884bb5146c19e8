// Command generate writes the Go code of the wire contract into euchrev1, run by `go generate ./...`.
//
// It needs protoc, or Python with grpcio-tools. The plugins are those pinned in go.mod. Which protoc it was is left out of
// the code, so that everybody generates the same.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

var plugins = []string{"google.golang.org/protobuf/cmd/protoc-gen-go", "google.golang.org/grpc/cmd/protoc-gen-go-grpc"}

// errNoCompiler says that nothing on this machine compiles .proto files.
var errNoCompiler = errors.New("no protoc found; install protobuf-compiler, or grpcio-tools for Python")

var compilerLine = regexp.MustCompile(`(?m)^//\s+(- )?protoc +\(?v?[0-9].*\n`)

func main() {
	log.SetFlags(0)
	root, err := moduleRoot()
	if err == nil {
		err = generate(root, root)
	}
	if err != nil {
		log.Fatalf("generate: %v", err)
	}
}

// moduleRoot returns the folder of go.mod at or above the working directory.
func moduleRoot() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", errors.New("no go.mod above the working directory")
		}
		folder = parent
	}
}

// protoRoot returns where the .proto files are: beside the bot, or two folders up in the Euchre Arena repository.
func protoRoot(root string) (string, error) {
	for _, folder := range []string{"proto", "../../proto"} {
		found := filepath.Join(root, folder)
		if _, err := os.Stat(filepath.Join(found, "euchre/v1/referee.proto")); err == nil {
			return found, nil
		}
	}
	return "", errors.New("no euchre/v1/referee.proto in ./proto or ../../proto")
}

// compiler returns the start of the command line of a protoc.
func compiler() ([]string, error) {
	if path, err := exec.LookPath("protoc"); err == nil {
		return []string{path}, nil
	}
	for _, python := range []string{"python3", "python"} {
		if path, err := exec.LookPath(python); err == nil && exec.Command(path, "-c", "import grpc_tools").Run() == nil {
			return []string{path, "-m", "grpc_tools.protoc"}, nil
		}
	}
	return nil, errNoCompiler
}

// generate writes target/euchrev1/*.pb.go with the plugins and the .proto files of the module at root.
func generate(root, target string) error {
	command, err := compiler()
	if err != nil {
		return err
	}
	protos, err := protoRoot(root)
	if err != nil {
		return err
	}
	tools, err := os.MkdirTemp("", "euchre-generate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tools)
	if err := run(root, append([]string{"go", "build", "-o", tools + string(filepath.Separator)}, plugins...)); err != nil {
		return err
	}
	for _, plugin := range plugins {
		name := filepath.Base(plugin)
		found, err := filepath.Glob(filepath.Join(tools, name+"*"))
		if err != nil || len(found) == 0 {
			return fmt.Errorf("%s was not built", name)
		}
		for _, path := range found { // protoc-gen-go is the beginning of protoc-gen-go-grpc
			if strings.TrimSuffix(filepath.Base(path), ".exe") == name {
				command = append(command, "--plugin="+name+"="+path)
			}
		}
	}
	sources, err := filepath.Glob(filepath.Join(protos, "euchre/v1/*.proto"))
	if err != nil {
		return err
	}
	command = append(command, "-I"+protos)
	for _, kind := range []string{"go", "go-grpc"} {
		command = append(command, "--"+kind+"_out="+target, "--"+kind+"_opt=module=euchrebot")
		for _, source := range sources {
			mapping := "M" + "euchre/v1/" + filepath.Base(source) + "=euchrebot/euchrev1"
			command = append(command, "--"+kind+"_opt="+mapping)
		}
	}
	if err := run(root, append(command, sources...)); err != nil {
		return err
	}
	return tidy(target)
}

// tidy removes the version of protoc from the generated files.
func tidy(target string) error {
	written, err := filepath.Glob(filepath.Join(target, "euchrev1", "*.pb.go"))
	if err != nil {
		return err
	}
	for _, path := range written {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, compilerLine.ReplaceAll(text, nil), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func run(folder string, command []string) error {
	job := exec.Command(command[0], command[1:]...)
	job.Dir = folder
	if output, err := job.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(command[0]), err, output)
	}
	return nil
}
