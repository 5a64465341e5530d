module nova.internal/distro/flux-image-automation-controller

go 1.26

tool github.com/fluxcd/image-automation-controller

require github.com/fluxcd/image-automation-controller v1.2.3

replace sigs.k8s.io/kustomize/api => sigs.k8s.io/kustomize/api v0.21.1
replace sigs.k8s.io/kustomize/kyaml => sigs.k8s.io/kustomize/kyaml v0.21.1
