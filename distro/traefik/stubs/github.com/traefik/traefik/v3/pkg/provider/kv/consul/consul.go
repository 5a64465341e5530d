package consul

import "github.com/traefik/traefik/v3/pkg/provider/absent"

const ProviderName = "consul"

type ProviderBuilder = absent.ProviderBuilder
