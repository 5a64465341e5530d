// Package absent stands in for the backends whose clients are not part of this build: those of clouds, databases and
// Kubernetes. Universe serves states over HTTP.
package absent

import (
	"context"
	"fmt"

	"github.com/opentofu/opentofu/internal/backend"
	"github.com/opentofu/opentofu/internal/configs/configschema"
	"github.com/opentofu/opentofu/internal/states/statemgr"
	"github.com/opentofu/opentofu/internal/tfdiags"
	"github.com/zclconf/go-cty/cty"
)

type absent struct{ name string }

// New returns a backend that fails when a configuration chooses it.
func New(name string) backend.Backend {
	return absent{name}
}

func (a absent) problem() error {
	return fmt.Errorf("this build has no backend %s; use http", a.name)
}

func (absent) ConfigSchema() *configschema.Block {
	return &configschema.Block{}
}

func (a absent) PrepareConfig(config cty.Value) (cty.Value, tfdiags.Diagnostics) {
	var problems tfdiags.Diagnostics
	return config, problems.Append(a.problem())
}

func (a absent) Configure(context.Context, cty.Value) tfdiags.Diagnostics {
	var problems tfdiags.Diagnostics
	return problems.Append(a.problem())
}

func (a absent) StateMgr(context.Context, string) (statemgr.Full, error) {
	return nil, a.problem()
}

func (a absent) DeleteWorkspace(context.Context, string, bool) error {
	return a.problem()
}

func (a absent) Workspaces(context.Context) ([]string, error) {
	return nil, a.problem()
}
