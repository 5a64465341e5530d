import { bootFolder, bootPending, prelude } from './node-scripts.ts';

/**
 * Exchanges the enrolment token for the node's identity. openssl and curl need a moment where the agent needs seconds.
 */
export const enrolScript = `${prelude}
set -eu
umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ask() { curl --silent --show-error --fail --connect-timeout 10 --max-time 30 --retry 10 --retry-connrefused --retry-delay 1 "$@"; }
mkdir -p "$ssl/certs" "$ssl/private_keys"

# Over a connection that cannot be verified yet: the fingerprint from cloud-init decides.
ask --insecure --output "$work/ca.pem" "$server/puppet-ca/v1/certificate/ca"
[ "$(sha256sum <"$work/ca.pem" | cut -d' ' -f1)" = "$fingerprint" ] || { echo 'the authority has another fingerprint' >&2; exit 1; }
mv "$work/ca.pem" "$ssl/certs/ca.pem"
chmod 0644 "$ssl/certs/ca.pem"

key=$ssl/private_keys/$name.pem
if [ ! -s "$key" ]; then
  # An RSA key would take fifty times as long.
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$key.new"
  mv "$key.new" "$key"
fi
cat >"$work/request.conf" <<END
[req]
prompt = no
distinguished_name = subject
attributes = attributes
[subject]
CN = $name
[attributes]
challengePassword = $(sed -n 's/^ *1\\.2\\.840\\.113549\\.1\\.9\\.7: //p' /etc/puppet/csr_attributes.yaml)
END
openssl req -new -config "$work/request.conf" -key "$key" -out "$work/request.pem"
ask --cacert "$ssl/certs/ca.pem" --header 'Content-Type: text/plain' --upload-file "$work/request.pem" \\
  "$server/puppet-ca/v1/certificate_request/$name"
ask --cacert "$ssl/certs/ca.pem" --output "$work/identity.pem" "$server/puppet-ca/v1/certificate/$name"
openssl x509 -in "$work/identity.pem" -noout
chmod 0644 "$work/identity.pem"
touch ${bootPending}
mv "$work/identity.pem" "$ssl/certs/$name.pem"
`;

/**
 * Applies the approved catalog of a new machine: extracts its files at once, then runs a script. The agent confirms the
 * result later.
 */
export const bootScript = `${prelude}
set -eu
folder=${bootFolder}
rm -rf "$folder"
mkdir --mode=0700 "$folder"
kind=physical
! systemd-detect-virt --quiet --container || kind=container_other
request --max-time 60 --retry 10 --retry-connrefused --retry-delay 1 --output "$folder/archive" \\
  "$server/nova/v1/nodes/$name/boot?virtual=$kind"
started=$(date +%s)
# Times of files are those of this machine: services that are older than their files count as outdated.
tar --extract --touch --file "$folder/archive" --directory /
rm "$folder/archive"
code=0
sh "$folder/script" >"$folder/log" 2>&1 || code=$?
cat "$folder/log" >&2
request --max-time 30 --retry 10 --retry-connrefused --retry-delay 1 --header 'Content-Type: text/plain' --data-binary "@$folder/log" \\
  "$server/nova/v1/nodes/$name/boot/$(cat "$folder/catalog")?exit=$code&seconds=$(($(date +%s) - started))"
exit $code
`;
