package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"
)

const (
	largestAnswer = 1 << 30
	idle          = 5 * time.Minute // TCP connections without data are closed after this time
)

// serve opens every port before it responds on any, so that a port in use is an immediate error.
func serve(ctx context.Context, args []string) int {
	flags := flag.NewFlagSet("nettest", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	tcp := flags.String("tcp", ":7000", "")
	udp := flags.String("udp", ":7000", "")
	web := flags.String("http", ":8080", "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		return fail(2, fmt.Errorf("unknown command %q, see --help", flags.Arg(0)))
	}
	hostname, err := os.Hostname()
	if err != nil {
		return fail(1, err)
	}

	var services []func() error
	if *tcp != "" {
		listener, err := net.Listen("tcp", *tcp)
		if err != nil {
			return fail(1, err)
		}
		defer listener.Close()
		services = append(services, func() error { return echoLines(listener, hostname) })
		fmt.Println("tcp", listener.Addr())
	}
	if *udp != "" {
		socket, err := net.ListenPacket("udp", *udp)
		if err != nil {
			return fail(1, err)
		}
		defer socket.Close()
		services = append(services, func() error { return echoDatagrams(socket, hostname) })
		fmt.Println("udp", socket.LocalAddr())
	}
	if *web != "" {
		listener, err := net.Listen("tcp", *web)
		if err != nil {
			return fail(1, err)
		}
		defer listener.Close()
		server := http.Server{Handler: pages(hostname), ReadHeaderTimeout: 10 * time.Second}
		services = append(services, func() error { return server.Serve(listener) })
		fmt.Println("http", listener.Addr())
	}

	failed := make(chan error, len(services))
	for _, service := range services {
		go func() { failed <- service() }()
	}
	select {
	case <-ctx.Done():
		return 0
	case err := <-failed:
		return fail(1, err)
	}
}

func echoLines(listener net.Listener, hostname string) error {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer connection.Close()
			lines := bufio.NewScanner(connection)
			for connection.SetDeadline(time.Now().Add(idle)) == nil && lines.Scan() {
				if _, err := fmt.Fprintf(connection, "%s %s %s\n", hostname, connection.RemoteAddr(), lines.Bytes()); err != nil {
					return
				}
			}
		}()
	}
}

func echoDatagrams(socket net.PacketConn, hostname string) error {
	datagram := make([]byte, 65535)
	for {
		size, peer, err := socket.ReadFrom(datagram)
		if err != nil {
			return err
		}
		// A response that cannot be sent (closed peer, response too long) does not stop the server.
		_, _ = socket.WriteTo(fmt.Appendf(nil, "%s %s %s", hostname, peer, datagram[:size]), peer)
	}
}

func pages(hostname string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(response http.ResponseWriter, request *http.Request) {
		fmt.Fprintf(response, "%s %s\n", hostname, request.RemoteAddr)
	})
	mux.HandleFunc("/healthz", func(response http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(response, "ok")
	})
	mux.HandleFunc("/headers", func(response http.ResponseWriter, request *http.Request) {
		response.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(response).Encode(map[string]any{
			"hostname": hostname,
			"peer":     request.RemoteAddr,
			"method":   request.Method,
			"url":      request.URL.String(),
			"protocol": request.Proto,
			"host":     request.Host,
			"headers":  request.Header,
		})
	})
	mux.HandleFunc("/bytes", func(response http.ResponseWriter, request *http.Request) {
		size, err := strconv.ParseInt(request.URL.Query().Get("size"), 10, 64)
		if err != nil || size < 0 || size > largestAnswer {
			http.Error(response, fmt.Sprintf("size must be a number from 0 to %d", largestAnswer), http.StatusBadRequest)
			return
		}
		response.Header().Set("Content-Type", "application/octet-stream")
		response.Header().Set("Content-Length", strconv.FormatInt(size, 10))
		_, _ = io.CopyN(response, zeros{}, size)
	})
	return mux
}

type zeros struct{}

func (zeros) Read(buffer []byte) (int, error) {
	clear(buffer)
	return len(buffer), nil
}
