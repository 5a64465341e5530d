// Local-path-helper creates and deletes the folder of a volume on its node. The Local Path provisioner starts it there under
// the name of the action, because our images have no shell.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

var version = "development"

func main() {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println("local-path-helper", version)
		return
	}
	if err := run(filepath.Base(os.Args[0]), os.Getenv("VOL_DIR")); err != nil {
		fmt.Fprintln(os.Stderr, "local-path-helper:", err)
		os.Exit(1)
	}
}

func run(action, folder string) error {
	if !filepath.IsAbs(folder) || filepath.Dir(folder) == folder {
		return fmt.Errorf("VOL_DIR is not the folder of a volume: %q", folder)
	}
	switch action {
	case "volume-setup":
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		// Pods of any user can write to the folder.
		return os.Chmod(folder, 0o777)
	case "volume-teardown":
		return os.RemoveAll(folder)
	default:
		return errors.New("it goes by the name volume-setup or volume-teardown")
	}
}
