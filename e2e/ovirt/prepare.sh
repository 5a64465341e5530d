#!/bin/sh
# Installs the Python SDK of oVirt and Ansible with oVirt's modules into the folder $1, once.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=$1
cmp -s "$here/requirements.txt" "$target/requirements.txt" && exit 0
rm -rf "$target"
python3 -m venv "$target"
"$target/bin/pip" install -q --disable-pip-version-check -r "$here/requirements.txt"
# Ansible's own package has all collections, 570 MB of them: only oVirt's is unpacked.
"$target/bin/pip" download -q --disable-pip-version-check --no-deps -d "$target/wheel" ansible==12.3.0
"$target/bin/python" - "$target" <<'PYTHON'
import glob
import sys
import zipfile

folder = sys.argv[1]
[wheel] = glob.glob(folder + '/wheel/ansible-*.whl')
with zipfile.ZipFile(wheel) as archive:
    members = [name for name in archive.namelist() if name.startswith('ansible_collections/ovirt/ovirt/')]
    archive.extractall(folder + '/collections', members)
PYTHON
rm -r "$target/wheel"
# Last: without this file, the next run starts again.
cp "$here/requirements.txt" "$target/"
