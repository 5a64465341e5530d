// Nettest responds with its own name and the source address of the request, so that a test can check the path of a packet.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

var version = "development"

const usage = `nettest: who answers on a network path, and whom does it see?

  nettest [serve] [--tcp :7000] [--udp :7000] [--http :8080]   answer until told to stop; an empty address switches one off
  nettest check [--timeout 5s] tcp|udp|http ADDRESS            ask a nettest and print its answer; http also takes a URL
  nettest --version

TCP (each line) and UDP (each datagram) are answered with "HOSTNAME PEER-ADDRESS WHAT-WAS-SENT".
HTTP: /            "HOSTNAME PEER-ADDRESS"
      /healthz     "ok"
      /headers     the request as it arrived, as JSON
      /bytes?size= so many zero bytes, at most 1 GiB

Exit codes of check: 0 it answered, 1 it did not, 2 the command is wrong.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	command := "serve"
	if len(args) > 0 && (args[0] == "serve" || args[0] == "check" || args[0] == "--version") {
		command, args = args[0], args[1:]
	}
	switch command {
	case "--version":
		fmt.Println("nettest", version)
		return 0
	case "check":
		return check(ctx, args)
	default:
		return serve(ctx, args)
	}
}

func fail(code int, err error) int {
	fmt.Fprintln(os.Stderr, "nettest:", err)
	return code
}
