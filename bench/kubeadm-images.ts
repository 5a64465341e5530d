import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execIn } from '@nova-platform/contracts/engine/client';
import { type BuiltComponent, cacheFolder, findBuilt, findToolchain, readComponents } from '@nova-platform/distro';

export const repository = 'bench.nova.internal';
export const pauseImage = `${repository}/pause:1.0.0`;
export const nettestImage = `${repository}/nettest:1.0.0`;
/** The version of our component; kubeadm would use the tag it was released with. */
export const etcdTag = '3.6.16';

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  annotations?: Record<string, string>;
}

interface Manifest {
  config: Descriptor;
  layers: Descriptor[];
}

interface ImageConfig {
  config: { User?: string };
  rootfs: { diff_ids: string[] };
}

export async function builtComponent(name: string): Promise<BuiltComponent> {
  const toolchain = await findToolchain(cacheFolder(), () => undefined);
  const component = (await readComponents()).find((each) => each.name === name);
  const built = component && (await findBuilt(component, toolchain));
  if (!built) throw new Error(`${name} is not built: nova-ctl component build ${name}`);
  return built;
}

/**
 * All images of kubeadm's pods, as one archive that containerd imports. They are our components' images with two
 * adaptations for kubeadm: it assigns its files to root, and it runs kube-proxy from an image, so `nft` and its
 * libraries come from a machine.
 */
export async function peerImages(folder: string, machine: string): Promise<string> {
  const layout = new Layout(folder);
  const [kubernetes, etcd] = [await builtComponent('kubernetes'), await builtComponent('etcd')];
  const version = await versionOf(kubernetes);
  for (const name of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'])
    layout.add(kubernetes, name, `${repository}/${name}:v${version}`, { user: '0' });
  layout.add(etcd, 'etcd', `${repository}/etcd:${etcdTag}`, { user: '0' });
  layout.add(await builtComponent('pause'), 'pause', pauseImage);
  layout.add(await builtComponent('nettest'), 'nettest', nettestImage);
  const tools = Buffer.from(await execIn(machine, ['sh', '-c', proxyTools]), 'base64');
  layout.add(kubernetes, 'kube-apiserver', `${repository}/kube-proxy:v${version}`, { user: '0', layer: tools });
  return layout.pack();
}

export async function versionOf(kubernetes: BuiltComponent): Promise<string> {
  const [, version = ''] = /kubernetes-(.*)-[0-9a-f]+$/.exec(kubernetes.folder) ?? [];
  return version;
}

/** The programs that kube-proxy calls, and the path at which kubeadm calls kube-proxy. */
const proxyTools = `set -e
work=$(mktemp -d)
for file in /usr/sbin/nft /etc/protocols $(ldd /usr/sbin/nft | grep -o '/[^ ]*'); do
  mkdir -p "$work/$(dirname "$file")"
  cp -L "$file" "$work$file"
done
mkdir -p "$work/usr/local/bin"
ln -s /kube-proxy "$work/usr/local/bin/kube-proxy"
ln -s /usr/sbin/nft "$work/nft" # the image has no other path than /
tar -C "$work" -c . | base64 -w 0
rm -r "$work"`;

/** An OCI layout assembled from other layouts. */
class Layout {
  readonly #folder: string;
  readonly #manifests: Descriptor[] = [];

  constructor(folder: string) {
    this.#folder = join(folder, 'layout');
    mkdirSync(join(this.#folder, 'blobs', 'sha256'), { recursive: true });
  }

  add({ folder }: BuiltComponent, name: string, as: string, change: { user?: string; layer?: Buffer } = {}): void {
    const from = join(folder, 'images');
    const { manifests } = readJson<{ manifests: Descriptor[] }>(join(from, 'index.json'));
    const found = manifests.find(({ annotations }) =>
      annotations?.['org.opencontainers.image.ref.name']?.startsWith(`${name}:`),
    );
    if (!found) throw new Error(`no image ${name} in ${from}`);
    const manifest = readJson<Manifest>(blob(from, found.digest));
    const config = readJson<ImageConfig>(blob(from, manifest.config.digest));
    for (const { digest } of manifest.layers) copyFileSync(blob(from, digest), blob(this.#folder, digest));
    if (change.user !== undefined) config.config.User = change.user;
    if (change.layer) {
      const layer = this.#write(change.layer, 'application/vnd.oci.image.layer.v1.tar');
      manifest.layers.push(layer);
      config.rootfs.diff_ids.push(layer.digest);
      Reflect.deleteProperty(config, 'history');
    }
    manifest.config = this.#write(JSON.stringify(config), manifest.config.mediaType);
    const written = this.#write(JSON.stringify(manifest), found.mediaType);
    this.#manifests.push({ ...written, annotations: { 'io.containerd.image.name': as } });
  }

  pack(): string {
    const index = { schemaVersion: 2, manifests: this.#manifests };
    writeFileSync(join(this.#folder, 'index.json'), JSON.stringify(index));
    writeFileSync(join(this.#folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
    const archive = `${this.#folder}.tar`;
    execFileSync('tar', ['-C', this.#folder, '-cf', archive, '.']);
    rmSync(this.#folder, { recursive: true });
    return archive;
  }

  #write(content: string | Buffer, mediaType: string): Descriptor {
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    const path = blob(this.#folder, digest);
    writeFileSync(path, content);
    return { mediaType, digest, size: statSync(path).size };
  }
}

function blob(layout: string, digest: string): string {
  return join(layout, 'blobs', ...digest.split(':'));
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
