#!/bin/sh
# Installs the project's dependencies, once: `setup.sh runtime` those of nova-ctl, `setup.sh` all of them.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
what=${1:-all}
# After a full installation, runtime implies all.
[ -e "$root/node_modules/.nova-setup-all" ] && what=all
done_file=$root/node_modules/.nova-setup-$what

is_done() { cmp -s "$root/package-lock.json" "$done_file"; }

say() { echo "nova: $*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else
    say "the packages above are missing, and only root can install them. Install them and retry."
    exit 1
  fi
}

install_packages() {
  say "installing $* with the system's package manager"
  if command -v apt-get >/dev/null; then
    as_root apt-get update -q >&2
    # A fresh host often runs an upgrade of its own at first.
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -q -y --no-install-recommends "$@" >&2
  elif command -v dnf >/dev/null; then as_root dnf install -y "$@" >&2
  elif command -v zypper >/dev/null; then as_root zypper --non-interactive install "$@" >&2
  elif command -v pacman >/dev/null; then as_root pacman -S --noconfirm "$@" >&2
  else
    say "no known package manager. Install $* and retry."
    exit 1
  fi
}

# Tests run their own servers; do not create a system-wide one.
install_postgres() {
  [ -e /etc/postgresql-common/createcluster.conf ] || {
    as_root mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' | as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
  }
  install_packages postgresql
}

is_done && exit 0

# Parallel runs would conflict.
if [ -z "${NOVA_SETUP_LOCKED:-}" ] && command -v flock >/dev/null; then
  NOVA_SETUP_LOCKED=1 exec flock "$root" sh "$0" "$what"
fi
is_done && exit 0

command -v npm >/dev/null || install_packages nodejs npm
# Tests clone from our git service, and check our signatures with OpenSSL.
[ "$what" = runtime ] || command -v git >/dev/null || install_packages git
[ "$what" = runtime ] || command -v openssl >/dev/null || install_packages openssl
# Without apt-get, the tests with the Python SDK of oVirt, which compile it, are skipped.
[ "$what" = runtime ] || [ -e /usr/include/libxml2/libxml/xmlreader.h ] || ! command -v apt-get >/dev/null ||
  install_packages gcc libxml2-dev python3-dev python3-venv
# Without apt-get, the tests that need PostgreSQL are skipped.
[ "$what" = runtime ] || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || ! command -v apt-get >/dev/null || install_postgres
# The console is tested in a real browser. Without apt-get, these tests are skipped.
[ "$what" = runtime ] || command -v chromium >/dev/null || ! command -v apt-get >/dev/null || install_packages chromium
say "installing packages (once)"
omit=""
[ "$what" = runtime ] && omit="--omit=dev"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The pinned Node of node_modules runs everything; the system's Node only runs npm. `npm ci` does not work here: it requires
# that the lock file lists every tool's builds for every platform, and a closed site's mirror may not have them all.
if ! (cd "$root" && npm install --no-save --no-audit --no-fund $omit >"$log" 2>&1); then
  tail -n 30 "$log" >&2
  say "npm failed; its output is above. Fix the cause and retry."
  exit 1
fi
# Some versions of npm do not link a program that two packages provide, one per CPU architecture.
(cd "$root/node_modules/.bin" && ln -sf ../node-linux-*/bin/node node)
cp "$root/package-lock.json" "$done_file"
