module nova.internal/distro/nettest

go 1.26
