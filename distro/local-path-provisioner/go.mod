module nova.internal/distro/local-path-provisioner

go 1.26

tool github.com/rancher/local-path-provisioner

require github.com/rancher/local-path-provisioner v0.0.37

