module nova.internal/distro/flux-image-reflector-controller

go 1.26

tool github.com/fluxcd/image-reflector-controller

require github.com/fluxcd/image-reflector-controller v1.2.3

