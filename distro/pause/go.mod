module nova.internal/distro/pause

go 1.26
