package consulcatalog

import "github.com/traefik/traefik/v3/pkg/provider/absent"

const ProviderName = "consulcatalog"

type ProviderBuilder = absent.ProviderBuilder
