/** Shell scripts of a node. A node has the Puppet agent, curl and openssl, and no Nova program. */

export const settingsPath = '/etc/nova/agent.conf';
export const scriptFolder = '/usr/local/lib/nova';
/** Exists until the first catalog of a new machine is applied, so that an interrupted boot is retried. */
export const bootPending = '/var/lib/nova-boot-pending';
/** Temporary files of a boot archive. A reboot deletes them. */
export const bootFolder = '/run/nova-boot';
export const restartsPath = '/etc/nova/restarts.list';
/** What an existing host keeps to leave: its state before it joined. */
export const hostFolder = '/var/lib/nova-host';

/** The settings of the node, and requests with its identity. */
export const prelude = `#!/bin/sh
# Managed by Nova: local changes are overwritten.
. ${settingsPath}
request() {
  curl --silent --show-error --fail --connect-timeout 10 --cacert "$ssl/certs/ca.pem" \\
    --cert "$ssl/certs/$name.pem" --key "$ssl/private_keys/$name.pem" "$@"
}
`;

/** Runs the agent on demand and periodically. */
export const agentScript = `${prelude}
# NOVA_DUE survives the exec below. It is a time of the monotonic clock, in seconds.
now() { cut -d. -f1 /proc/uptime; }
is_enrolled() { [ -s "$ssl/certs/$name.pem" ]; }
run_agent() {
  puppet agent --onetime --no-daemonize --verbose --logdest console --color=false --no-splay --waitforlock 120 --detailed-exitcodes "$@" 2>&1
  echo "exit $?"
}
# The agent may have replaced this file.
again() {
  NOVA_DUE=$1
  export NOVA_DUE
  exec "$0"
}

# A new machine enrols and applies its first catalog without the agent, which takes seconds to start.
# If this fails, the agent does it. Otherwise the agent only confirms the result later.
is_enrolled || ${scriptFolder}/enrol || true
if [ -e ${bootPending} ] && ${scriptFolder}/boot; then
  rm -f ${bootPending}
  again $(($(now) + 120 + $(od -An -N2 -tu2 /dev/urandom) % 180))
fi
if ! is_enrolled || [ -e ${bootPending} ] || [ "$(now)" -ge "\${NOVA_DUE:-0}" ]; then
  # The agent does not run with an expired identity.
  ! is_enrolled || ${scriptFolder}/identity 0
  run_agent
  is_enrolled || { sleep 5; again 0; }
  rm -f ${bootPending}
  # The run may have changed the settings.
  . ${settingsPath}
  again $(($(now) + interval + $(od -An -N2 -tu2 /dev/urandom) % (interval / 4 + 1)))
fi

order=$(request --max-time 90 "$server/nova/v1/nodes/$name/order?wait=60") || { sleep 5; again "$NOVA_DUE"; }
set -- $order
case \${1:-none} in
  run) options= ;;
  noop) options=--noop ;;
  # Only existing hosts get this order. It stops this service.
  leave) systemd-run --quiet --collect --unit=nova-leave /bin/sh ${hostFolder}/leave "$2" && exec sleep 600 ;;
  *) again "$NOVA_DUE" ;;
esac
# Write the log to the journal as well, which cannot be opened as a file.
both() { while IFS= read -r line; do printf '%s\\n' "$line"; printf '%s\\n' "$line" >&2; done; }
run_agent $options | both | request --no-buffer --upload-file - "$server/nova/v1/nodes/$name/orders/$2/log"
again "$NOVA_DUE"
`;

/** Renews the agent's certificate, which is the node's identity, even if it expired while the node was off. */
export const identityScript = `${prelude}
# identity SECONDS: renews the identity if it expires within this time
set -eu
file=$ssl/certs/$name.pem
! openssl x509 -in "$file" -noout -checkend "$1" >/dev/null || exit 0
new=$(mktemp "$file.XXXXXX")
trap 'rm -f "$new"' EXIT
request --max-time 30 --request POST "$server/puppet-ca/v1/certificate_renewal" >"$new"
openssl x509 -in "$new" -noout
chmod 0644 "$new"
mv "$new" "$file"
`;

/** Creates keys of service certificates on the node and has the certificates signed. */
export const certificateScript = `${prelude}
# certificate check NAME SECONDS: exit 0 if it exists, matches its request and is valid for this time
# certificate obtain NAME...: fails and prints the names of certificates that could not be obtained
set -eu
folder=/etc/nova/pki
case $1 in
  check)
    file=$folder/$2
    [ -s "$file.crt" ] && [ -s "$file.key" ] && [ ! "$file.request" -nt "$file.crt" ] &&
      openssl x509 -in "$file.crt" -noout -checkend "$3" >/dev/null
    ;;
  obtain)
    shift
    umask 077
    trap 'for each; do rm -f "$folder/$each".*.new; done' EXIT
    requests=$(for each; do
      file=$folder/$each
      if [ -s "$file.key" ]; then
        openssl req -new -config "$file.request" -key "$file.key" -out "$file.csr.new" || continue
      else
        openssl req -new -config "$file.request" -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc \\
          -keyout "$file.key.new" -out "$file.csr.new" 2>/dev/null || continue
        mv "$file.key.new" "$file.key"
      fi
      # Options apply to one request each; the connection serves them all.
      cat <<END
next
url = "$server/nova/v1/nodes/$name/certificates/$each"
cacert = "$ssl/certs/ca.pem"
cert = "$ssl/certs/$name.pem"
key = "$ssl/private_keys/$name.pem"
connect-timeout = 10
max-time = 30
fail
header = "Content-Type: text/plain"
data-binary = "@$file.csr.new"
output = "$file.crt.new"
END
    done)
    [ -z "$requests" ] || printf '%s\\n' "\${requests#next}" | curl --silent --show-error --config - || true
    failed=
    for each; do
      file=$folder/$each
      # What arrived in part, or is something else, replaces nothing.
      case $(cat "$file.crt.new" 2>/dev/null) in
        '-----BEGIN CERTIFICATE-----'*'-----END CERTIFICATE-----')
          chmod 0644 "$file.crt.new"
          mv "$file.crt.new" "$file.crt"
          ;;
        *) failed="$failed $each" ;;
      esac
    done
    [ -z "$failed" ] || { echo $failed; exit 1; }
    ;;
esac
`;

/**
 * Obtains the certificates of the node that are missing, do not match their request or expire soon, all at once.
 * Restarts services that load certificates only at startup.
 */
export const certificatesScript = `#!/bin/sh
# Managed by Nova: local changes are overwritten.
# certificates check: exit 0 if no certificate has to be obtained
# certificates obtain
# One line per certificate: name, minimum remaining validity in seconds, unit to restart or -.
set -eu
list=/etc/nova/pki/certificates.list
one=${scriptFolder}/certificate
case $1 in
  check)
    while read -r name rest unit; do "$one" check "$name" "$rest"; done <"$list"
    ;;
  obtain)
    # The agent and the timer may run it at the same time.
    exec 9<"\${list%/*}"
    flock 9
    names= renewed=
    while read -r name rest unit; do
      "$one" check "$name" "$rest" && continue
      names="$names $name"
      [ ! -s "/etc/nova/pki/$name.crt" ] || renewed="$renewed $name"
    done <"$list"
    [ -n "$names" ] || exit 0
    failed=$("$one" obtain $names) || failed=\${failed:-$names}
    units=
    while read -r name rest unit; do
      case " $failed " in *" $name "*) continue ;; esac
      case "$renewed " in *" $name "*) [ "$unit" = - ] || units="$units $unit" ;; esac
    done <"$list"
    [ -z "$units" ] || systemctl try-restart $(printf '%s\\n' $units | sort -u)
    [ -z "$failed" ] || { echo "not obtained: $failed" >&2; exit 1; }
    ;;
esac
`;

/**
 * Starts a Kubernetes program once the API responds. Otherwise all programs would retry with growing delays and notice
 * the API late. Waits at most a minute: the kubelet must manage running pods even while the API is down.
 */
export const whenApiScript = `#!/bin/sh
# Managed by Nova: local changes are overwritten.
# when-api answers|ready SERVER CERTIFICATE PROGRAM FLAG...
pki=/etc/nova/pki state=$1 server=$2 certificate=$3
shift 3
# One curl sends all requests, over one connection where possible: a process for each would cost more than its request.
{ sh -c 'echo $$; exec timeout 60 curl "$@" 2>&1' - --silent --output /dev/null --write-out '%{stderr}%{http_code}\\n' \\
  --rate 10/s --connect-timeout 1 --max-time 2 --cacert $pki/kubernetes-ca.crt --cert "$pki/$certificate.crt" \\
  --key "$pki/$certificate.key" "$server/readyz?[1-600]" | {
  read -r asking
  while read -r status; do
    case "$state $status" in
      *' 000') ;;
      'answers '* | 'ready 200') break ;;
    esac
  done
  kill "$asking"
}; } 2>/dev/null
exec "$@"
`;

/**
 * Starts a program that renews a lease to stay the leader. An emulated processor is too slow for the usual deadline: the
 * program would lose its lease while it starts, end and start again.
 */
export const leaderScript = `#!/bin/sh
# Managed by Nova: local changes are overwritten.
# leader PROGRAM FLAG...
if [ "$(systemd-detect-virt --vm)" = qemu ]; then
  set -- "$@" --leader-elect-lease-duration=120s --leader-elect-renew-deadline=90s --leader-elect-retry-period=10s
fi
exec "$@"
`;

/**
 * Starts the kubelet of a restarted node once kube-proxy has written the rules of services: the node's pods start with the
 * kubelet, and programs that do not reach the API crash and wait for their back-off. Waits at most 20 seconds, because
 * pods without services run, too.
 */
export const whenServicesScript = `#!/bin/sh
# Managed by Nova: local changes are overwritten.
# when-services PROGRAM FLAG...
synced='^kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family="IPv4"} [1-9]'
if [ -d /var/lib/kubelet/pods ]; then
  end=$(($(date +%s) + 20))
  until curl --silent --max-time 2 http://127.0.0.1:10249/metrics | grep -q "$synced" || [ "$(date +%s)" -ge $end ]; do
    sleep 0.2
  done
fi
exec "$@"
`;

/**
 * Restarts services that an interrupted run did not restart. A killed run loses its pending restarts, but the changed
 * files still have newer timestamps.
 */
export const restartsScript = `#!/bin/sh
# Managed by Nova: local changes are overwritten.
# restarts check: exit 0 if every unit was started after the last change of its files
# restarts do
# One line per unit: its name, its files.
set -eu
list=${restartsPath}
# Wait for a renewal of certificates: it restarts the affected services itself.
exec 9</etc/nova/pki
flock 9
late() {
  {
    systemctl show --timestamp=unix --property=Id,ActiveState,ActiveEnterTimestamp,NeedDaemonReload $(cut -d' ' -f1 "$list")
    stat --format='file %n %Y' $(cut -d' ' -f2- "$list") 2>/dev/null || true
    sed 's/^/unit /' "$list"
  } | awk -v now="$(date +%s)" '
    /^Id=/ { id = substr($0, 4) }
    /^ActiveState=active$/ { is_active[id] = 1 }
    /^ActiveEnterTimestamp=@/ { started[id] = substr($0, 23) }
    /^NeedDaemonReload=yes$/ { is_late[id] = 1 }
    # Ignore times in the future: the clock was wrong when the file was written.
    $1 == "file" && $3 <= now { changed[$2] = $3 }
    $1 == "unit" {
      for (i = 3; i <= NF; i++) if (is_active[$2] && changed[$i] + 0 > started[$2] + 0) is_late[$2] = 1
      if (is_late[$2]) print $2
    }'
}
units=$(late)
case $1 in
  check) [ -z "$units" ] ;;
  do)
    systemctl daemon-reload
    systemctl restart $units
    ;;
esac
`;

/** Does the same as update-ca-certificates in a fraction of the time: that program processes all CAs one by one. */
export const trustScript = `#!/bin/sh
# Managed by Nova: local changes are overwritten.
# trust CERTIFICATE...: makes all programs trust the files that exist, and no longer trust the others
# trust check CERTIFICATE...: exit 0 if this is the case
set -eu
cd /etc/ssl/certs
if [ "$1" = check ]; then
  shift
  [ -s ca-certificates.crt ]
  for certificate; do
    link=$(basename "$certificate" .crt).pem
    if [ -s "$certificate" ]; then [ -e "$link" ] && [ -z "$(find "$certificate" -newer ca-certificates.crt)" ] || exit 1
    else [ ! -L "$link" ] || exit 1; fi
  done
  exit
fi
for certificate; do
  link=$(basename "$certificate" .crt).pem
  if [ -s "$certificate" ]; then ln -sf "$certificate" "$link"; else rm -f "$link"; fi
done
# Adds a missing newline at the end of each file.
sed -s '$a\\' *.pem >ca-certificates.crt.new
mv ca-certificates.crt.new ca-certificates.crt
openssl rehash . 2>/dev/null
`;

/** Fetches a key that several nodes share, with the node's identity. */
export const sharedKeyScript = `${prelude}
set -eu
umask 077
trap 'rm -f "$2.new"' EXIT
request --max-time 30 "$server/nova/v1/nodes/$name/keys/$1" >"$2.new"
[ -s "$2.new" ]
mv "$2.new" "$2"
`;

/** Writes the API server's encryption configuration: the key that encrypts secrets in etcd. */
export const encryptionScript = `#!/bin/sh
# encryption-configuration KEY TARGET
set -eu
umask 077
trap 'rm -f "$2.new"' EXIT
cat >"$2.new" <<END
apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [secrets]
    providers:
      - secretbox: { keys: [{ name: key1, secret: "$(cat "$1")" }] }
      - identity: {}
END
mv "$2.new" "$2"
`;
