package gcp_kms

import (
	"github.com/opentofu/opentofu/internal/encryption/keyprovider"
	"github.com/opentofu/opentofu/internal/encryption/keyprovider/absent"
)

func New() keyprovider.Descriptor {
	return absent.New("gcp_kms")
}
