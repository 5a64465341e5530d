/**
 * Gives each service its own folder in the volume, which outlives the machine. Volumes of earlier releases have the
 * files of Universe at the top level, and one owner for all files.
 * It runs as root before the services start. If it is killed, the next run completes it.
 */
export const volumeScript = `#!/bin/sh
set -eu
cd "$1"

# The folder gets its name once it is complete. From then on no file moves.
if [ ! -d universe ]; then
  mkdir -p universe.new
  for each in *; do
    case $each in
      universe.new | registry | resolver | git) ;;
      *) mv "$each" universe.new/ ;;
    esac
  done
  chown nova:nova universe.new
  chmod 0700 universe.new
  mv universe.new universe
fi

# Universe writes to the folder; the service of the group reads it. New files inherit the group. The owner of the folder
# is set last: it shows that the rest is done.
share() {
  mkdir -p "$1"
  [ "$(stat -c %U:%G:%a "$1")" != "nova:$2:2750" ] || return 0
  find "$1" -mindepth 1 -exec chown --no-dereference "nova:$2" {} +
  find "$1" -mindepth 1 -type d -exec chmod 2750 {} +
  find "$1" -type f -exec chmod g=rX,o= {} +
  chown "nova:$2" "$1"
  chmod 2750 "$1"
}
share git nova-git
share resolver nova-resolver

chown root:root .
chmod 0755 .
install -d -o nova -g nova -m 0700 /run/nova
install -d -o nova -g nova-registry -m 2750 /run/nova-config
# Where nova-ctl looks for the registry when root runs it here.
ln -sfn /run/nova-registry/registry.sock /run/nova/registry.sock
`;
