// Pause holds a pod's namespaces open until it is stopped. If the pod shares its process namespace, pause is process 1 and
// reaps the orphans of the other containers.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

var version = "development"

func main() {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println("pause", version)
		return
	}
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGCHLD)
	for received := range signals {
		if received != syscall.SIGCHLD {
			return
		}
		reap()
	}
}

// reap collects all children that have exited: one SIGCHLD may stand for several of them.
func reap() {
	for {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		if err == syscall.EINTR {
			continue
		}
		if pid <= 0 || err != nil {
			return
		}
	}
}
