import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Component, ComponentImage } from './component.ts';

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

interface Layer extends Descriptor {
  /** Digest of the uncompressed archive. */
  diffId: string;
}

type Entry = { path: string; mode: number } & ({ file: string } | { text: string } | { link: string });

const types = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  index: 'application/vnd.oci.image.index.v1+json',
};
/** All images have the same creation time; a real one would change the digest of the same content. */
const epoch = '1970-01-01T00:00:00Z';

/** Writes the images of a component as one OCI layout in `images`. The same content gives the same bytes. */
export async function writeImages(
  folder: string,
  component: Component,
  architecture: string,
): Promise<{ name: string; digest: string; bytes: number }[]> {
  if (component.images.length === 0) return [];
  const layout = join(folder, 'images');
  await mkdir(join(layout, 'blobs', 'sha256'), { recursive: true });
  await writeFile(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));

  const legal = await writeLayer(layout, await legalEntries(folder, component));
  const programs = new Map<string, Layer>();
  for (const { name, links } of component.programs)
    programs.set(name, await writeLayer(layout, programEntries(folder, name, links)));

  const built = [];
  const manifests = [];
  for (const image of component.images) {
    const program = programs.get(image.program);
    if (!program) throw new Error(`image ${image.name}: there is no program ${image.program}`);
    const layers = [await writeLayer(layout, await baseEntries(image)), legal, program];
    const manifest = await writeManifest(layout, component, image, architecture, layers);
    manifests.push({
      ...manifest,
      annotations: { 'org.opencontainers.image.ref.name': `${image.name}:${component.version}` },
    });
    built.push({ name: image.name, digest: manifest.digest, bytes: layers.reduce((sum, { size }) => sum + size, 0) });
  }
  await writeFile(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests }));
  return built;
}

async function writeManifest(
  layout: string,
  component: Component,
  image: ComponentImage,
  architecture: string,
  layers: readonly Layer[],
): Promise<Descriptor> {
  const labels = {
    'org.opencontainers.image.title': image.name,
    'org.opencontainers.image.description': component.title.en,
    'org.opencontainers.image.version': component.version,
    'org.opencontainers.image.licenses': component.licence,
    ...(component.module && { 'org.opencontainers.image.source': component.module }),
    'org.opencontainers.image.vendor': 'Nova',
  };
  const config = await writeJson(layout, types.config, {
    created: epoch,
    architecture,
    os: 'linux',
    config: {
      Entrypoint: image.entrypoint,
      Env: ['PATH=/'],
      WorkingDir: '/',
      Labels: labels,
      ...(image.user !== undefined && { User: `${image.user}:${image.user}` }),
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(() => ({ created: epoch, created_by: 'nova' })),
  });
  return writeJson(layout, types.manifest, {
    schemaVersion: 2,
    mediaType: types.manifest,
    config,
    layers: layers.map(({ mediaType, digest, size }) => ({ mediaType, digest, size })),
    annotations: labels,
  });
}

/** The minimum that a static program needs around it. */
async function baseEntries({ user, certificates }: ComponentImage): Promise<Entry[]> {
  const bundle = '/etc/ssl/certs/ca-certificates.crt';
  return [
    {
      path: 'etc/passwd',
      mode: 0o644,
      text: `root:x:0:0:root:/:/sbin/nologin\nnova:x:${user ?? 65532}:${user ?? 65532}:nova:/:/sbin/nologin\n`,
    },
    { path: 'etc/group', mode: 0o644, text: `root:x:0:\nnova:x:${user ?? 65532}:\n` },
    { path: 'etc/nsswitch.conf', mode: 0o644, text: 'hosts: files dns\n' },
    ...(certificates && existsSync(bundle) ? [{ path: bundle.slice(1), mode: 0o644, file: bundle }] : []),
    // Programs expect `/tmp`, writable for every user.
    { path: 'tmp/', mode: 0o1777, text: '' },
  ];
}

async function legalEntries(folder: string, { name }: Component): Promise<Entry[]> {
  const root = join(folder, 'licences');
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return [
    ...paths.map((file) => ({ path: `usr/share/licences/${relative(root, file)}`, mode: 0o644, file })),
    { path: `usr/share/sbom/${name}.cdx.json`, mode: 0o644, file: join(folder, 'sbom.cdx.json') },
  ];
}

function programEntries(folder: string, name: string, links: readonly string[]): Entry[] {
  return [
    { path: name, mode: 0o755, file: join(folder, 'bin', name) },
    ...links.map((each) => ({ path: each, mode: 0o777, link: name })),
  ];
}

/** Writes a reproducible archive: nothing in it depends on the time, the place or the user of the build. */
async function writeLayer(layout: string, entries: readonly Entry[]): Promise<Layer> {
  const archive = pack();
  const plain = createHash('sha256');
  const compressed = createHash('sha256');
  const temporary = join(layout, 'blobs', `layer-${process.pid}`);
  const filling = fill(archive, entries);
  await pipeline(
    archive as unknown as AsyncIterable<Buffer>,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        plain.update(chunk);
        yield chunk;
      }
    },
    createGzip({ level: 6 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        compressed.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(temporary),
  );
  await filling;
  const digest = compressed.digest('hex');
  await rename(temporary, blobPath(layout, digest));
  const { size } = await stat(blobPath(layout, digest));
  return { mediaType: types.layer, digest: `sha256:${digest}`, size, diffId: `sha256:${plain.digest('hex')}` };
}

async function fill(archive: ReturnType<typeof pack>, entries: readonly Entry[]): Promise<void> {
  const common = { mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: '' };
  const folders = new Set<string>();
  for (const entry of entries) {
    // An archive contains each folder before its content.
    const parts = entry.path.split('/').slice(0, -1);
    for (const [index] of parts.entries()) {
      const name = `${parts.slice(0, index + 1).join('/')}/`;
      if (folders.has(name)) continue;
      folders.add(name);
      archive.entry({ ...common, name, mode: name === entry.path ? entry.mode : 0o755, type: 'directory' });
    }
    if (entry.path.endsWith('/')) continue;
    if ('link' in entry)
      archive.entry({ ...common, name: entry.path, mode: entry.mode, type: 'symlink', linkname: entry.link });
    else if ('text' in entry) archive.entry({ ...common, name: entry.path, mode: entry.mode }, entry.text);
    else {
      const { size } = await stat(entry.file);
      const target = archive.entry({ ...common, name: entry.path, mode: entry.mode, size });
      await pipeline(createReadStream(entry.file), target);
    }
  }
  archive.finalize();
}

async function writeJson(layout: string, mediaType: string, value: object): Promise<Descriptor> {
  const text = JSON.stringify(value);
  const digest = createHash('sha256').update(text).digest('hex');
  await writeFile(blobPath(layout, digest), text);
  return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
}

function blobPath(layout: string, digest: string): string {
  return join(layout, 'blobs', 'sha256', digest);
}
