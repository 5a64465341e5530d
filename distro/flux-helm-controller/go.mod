module nova.internal/distro/flux-helm-controller

go 1.26

tool github.com/fluxcd/helm-controller

require github.com/fluxcd/helm-controller v1.6.2

replace github.com/opencontainers/go-digest => github.com/opencontainers/go-digest v1.0.1-0.20231025023718-d50d2fec9c98
replace sigs.k8s.io/kustomize/api => sigs.k8s.io/kustomize/api v0.21.1
replace sigs.k8s.io/kustomize/kyaml => sigs.k8s.io/kustomize/kyaml v0.21.1
