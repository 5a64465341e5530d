module nova.internal/distro/local-path-helper

go 1.26
