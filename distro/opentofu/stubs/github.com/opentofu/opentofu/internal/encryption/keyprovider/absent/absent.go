// Package absent stands in for the key providers of public clouds, whose clients are not part of this build.
package absent

import (
	"fmt"

	"github.com/opentofu/opentofu/internal/encryption/keyprovider"
)

type descriptor struct{ name string }

// New returns a key provider that fails when a configuration chooses it.
func New(name string) keyprovider.Descriptor {
	return descriptor{name}
}

func (d descriptor) ID() keyprovider.ID {
	return keyprovider.ID(d.name)
}

func (d descriptor) ConfigStruct() keyprovider.Config {
	return &config{d.name}
}

type config struct{ name string }

func (c *config) Build() (keyprovider.KeyProvider, keyprovider.KeyMeta, error) {
	return nil, nil, fmt.Errorf("this build has no key provider %s", c.name)
}
