module nova.internal/distro/traefik

go 1.26

tool github.com/traefik/traefik/v3/cmd/traefik

require github.com/traefik/traefik/v3 v3.7.10

replace github.com/abbot/go-http-auth => github.com/containous/go-http-auth v0.4.1-0.20200324110947-a37a7636d23e
replace github.com/gorilla/mux => github.com/containous/mux v0.0.0-20250523120546-41b6ec3aed59
exclude github.com/tencentcloud/tencentcloud-sdk-go v3.0.83+incompatible

// Named by a folder in Traefik's own go.mod, and missing from its module.
replace github.com/traefik/traefik/dynamic/ext => ./ext
