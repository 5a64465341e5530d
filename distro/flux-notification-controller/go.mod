module nova.internal/distro/flux-notification-controller

go 1.26

tool github.com/fluxcd/notification-controller

require github.com/fluxcd/notification-controller v1.9.3

replace gopkg.in/yaml.v3 => gopkg.in/yaml.v3 v3.0.1
