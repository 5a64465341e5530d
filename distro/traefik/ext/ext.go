// Package ext stands in for a folder that Traefik's module leaves out: the points where a commercial edition adds fields.
package ext

type HTTP struct{}

type Router struct{}
