package zk

import "github.com/traefik/traefik/v3/pkg/provider/absent"

const ProviderName = "zookeeper"

type Provider = absent.Provider
