package etcd

import "github.com/traefik/traefik/v3/pkg/provider/absent"

const ProviderName = "etcd"

type Provider = absent.Provider
