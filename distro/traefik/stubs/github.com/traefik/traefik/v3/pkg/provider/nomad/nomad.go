package nomad

import "github.com/traefik/traefik/v3/pkg/provider/absent"

const ProviderName = "nomad"

type ProviderBuilder = absent.ProviderBuilder
