package cos

import (
	"github.com/opentofu/opentofu/internal/backend"
	"github.com/opentofu/opentofu/internal/backend/absent"
	"github.com/opentofu/opentofu/internal/encryption"
)

func New(encryption.StateEncryption) backend.Backend {
	return absent.New("cos")
}
