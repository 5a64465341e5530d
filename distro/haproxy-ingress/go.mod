module nova.internal/distro/haproxy-ingress

go 1.26

tool github.com/jcmoraisjr/haproxy-ingress/pkg

require github.com/jcmoraisjr/haproxy-ingress v0.16.1

