package docker

import (
	ptypes "github.com/traefik/paerser/types"
	"github.com/traefik/traefik/v3/pkg/provider/absent"
)

const (
	DockerName = "docker"
	SwarmName  = "swarm"
)

type Provider struct {
	absent.Provider   `json:"-" toml:"-" yaml:"-"`
	HTTPClientTimeout ptypes.Duration
}

type SwarmProvider struct {
	absent.Provider   `json:"-" toml:"-" yaml:"-"`
	HTTPClientTimeout ptypes.Duration
	RefreshSeconds    ptypes.Duration
}
