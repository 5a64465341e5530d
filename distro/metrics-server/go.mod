module nova.internal/distro/metrics-server

go 1.26

tool sigs.k8s.io/metrics-server/cmd/metrics-server

require sigs.k8s.io/metrics-server v0.9.0

