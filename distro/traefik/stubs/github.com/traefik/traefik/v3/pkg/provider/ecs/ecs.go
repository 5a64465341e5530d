package ecs

import "github.com/traefik/traefik/v3/pkg/provider/absent"

const ProviderName = "ecs"

type Provider = absent.Provider
