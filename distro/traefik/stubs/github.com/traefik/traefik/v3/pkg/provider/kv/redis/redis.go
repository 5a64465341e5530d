package redis

import "github.com/traefik/traefik/v3/pkg/provider/absent"

const ProviderName = "redis"

type Provider = absent.Provider
