package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// A datagram may be lost during address resolution (ARP, OVN's first packet). It is sent again at this interval.
const resend = 500 * time.Millisecond

func check(ctx context.Context, args []string) int {
	flags := flag.NewFlagSet("nettest check", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	timeout := flags.Duration("timeout", 5*time.Second, "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if flags.NArg() != 2 {
		return fail(2, errors.New("check takes tcp, udp or http, and an address"))
	}
	ask, known := map[string]func(context.Context, string) (string, error){"tcp": askTCP, "udp": askUDP, "http": askHTTP}[flags.Arg(0)]
	if !known {
		return fail(2, fmt.Errorf("check takes tcp, udp or http, not %q", flags.Arg(0)))
	}
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()
	answer, err := ask(ctx, flags.Arg(1))
	if err != nil {
		return fail(1, err)
	}
	fmt.Println(strings.TrimRight(answer, "\n"))
	return 0
}

func askTCP(ctx context.Context, address string) (string, error) {
	connection, err := dial(ctx, "tcp", address)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	word := newWord()
	if _, err := fmt.Fprintln(connection, word); err != nil {
		return "", err
	}
	answer, err := bufio.NewReader(connection).ReadString('\n')
	if err != nil {
		return "", err
	}
	return withoutWord(answer, word)
}

func askUDP(ctx context.Context, address string) (string, error) {
	connection, err := dial(ctx, "udp", address)
	if err != nil {
		return "", err
	}
	defer connection.Close()
	word := newWord()
	answer := make([]byte, 65535)
	for {
		if _, err := io.WriteString(connection, word); err != nil {
			return "", err
		}
		_ = connection.SetReadDeadline(time.Now().Add(resend))
		size, err := connection.Read(answer)
		if err == nil {
			return withoutWord(string(answer[:size]), word)
		}
		if ctx.Err() != nil || !errors.Is(err, os.ErrDeadlineExceeded) {
			return "", err
		}
	}
}

func askHTTP(ctx context.Context, address string) (string, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address + "/"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	response, err := (&http.Client{Transport: &http.Transport{Proxy: nil}}).Do(request) // the path itself is tested, not a proxy
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return "", fmt.Errorf("%s answered %s", address, response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return string(body), err
}

func dial(ctx context.Context, network, address string) (net.Conn, error) {
	connection, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if deadline, ok := ctx.Deadline(); ok {
		_ = connection.SetDeadline(deadline)
	}
	return connection, nil
}

func newWord() string { return fmt.Sprintf("%016x", rand.Uint64()) }

// withoutWord proves that the response belongs to our request.
func withoutWord(answer, word string) (string, error) {
	answer = strings.TrimRight(answer, "\n")
	rest, ours := strings.CutSuffix(answer, " "+word)
	if !ours {
		return "", fmt.Errorf("not an answer of nettest: %q", answer)
	}
	return rest, nil
}
