// Package absent stands in for the providers whose clients are not part of this build: everything but Kubernetes, files and
// HTTP.
package absent

import (
	"errors"

	"github.com/traefik/traefik/v3/pkg/config/dynamic"
	"github.com/traefik/traefik/v3/pkg/safe"
)

// Provider fails when a configuration enables it.
type Provider struct{}

func (*Provider) Init() error {
	return errors.New("this provider is not part of this build")
}

func (*Provider) Provide(chan<- dynamic.Message, *safe.Pool) error {
	return nil
}

// ProviderBuilder builds a single absent provider.
type ProviderBuilder struct{}

func (*ProviderBuilder) BuildProviders() []*Provider {
	return []*Provider{{}}
}
