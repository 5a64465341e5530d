package azure_vault

import (
	"github.com/opentofu/opentofu/internal/encryption/keyprovider"
	"github.com/opentofu/opentofu/internal/encryption/keyprovider/absent"
)

func New() keyprovider.Descriptor {
	return absent.New("azure_vault")
}
