import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Descriptor, RegistryWriter } from './writer.ts';

export interface ImportedImage {
  image: string;
  digest: string;
  /** Bytes that were sent; 0 if the image existed. */
  sent: number;
  bytes: number;
}

interface Manifest {
  config: Descriptor;
  layers: Descriptor[];
}

type OnProgress = (image: string, sent: number, bytes: number) => void;

/** The number of parallel uploads. */
const parallel = 4;

/** Imports the images of an OCI layout under `prefix`. Existing blobs are not sent again. */
export async function importLayout(
  layout: string,
  prefix: string,
  writer: RegistryWriter,
  onProgress: OnProgress = () => undefined,
): Promise<ImportedImage[]> {
  const { manifests } = JSON.parse(await readFile(join(layout, 'index.json'), 'utf8')) as {
    manifests: (Descriptor & { annotations: Record<string, string> })[];
  };
  const imported: ImportedImage[] = [];
  for (const { digest, mediaType, annotations } of manifests) {
    const [name = '', tag = ''] = (annotations['org.opencontainers.image.ref.name'] ?? '').split(':');
    const image = `${prefix}/${name}:${tag}`;
    imported.push({
      image,
      digest,
      ...(await importImage(
        { layout, repository: `${prefix}/${name}`, tag, digest, mediaType },
        writer,
        (sent, bytes) => onProgress(image, sent, bytes),
      )),
    });
  }
  return imported;
}

interface Source {
  layout: string;
  repository: string;
  tag: string;
  digest: string;
  mediaType: string;
}

/** Sends blobs first and the manifest last, so that an image is complete or absent. */
async function importImage(
  { layout, repository, tag, digest, mediaType }: Source,
  writer: RegistryWriter,
  onProgress: (sent: number, bytes: number) => void,
): Promise<{ sent: number; bytes: number }> {
  const text = await readFile(blobPath(layout, digest), 'utf8');
  const { config, layers } = JSON.parse(text) as Manifest;
  const blobs = [config, ...layers];
  const bytes = blobs.reduce((sum, { size }) => sum + size, 0);
  if ((await writer.digestOf(repository, tag)) === digest) return { sent: 0, bytes };
  let sent = 0;
  const queue = [...new Map(blobs.map((blob) => [blob.digest, blob])).values()];
  const work = async () => {
    for (let blob = queue.shift(); blob; blob = queue.shift()) {
      if (await writer.hasBlob(repository, blob.digest)) continue;
      await writer.putBlob(repository, blob, blobPath(layout, blob.digest), (count) => {
        sent += count;
        onProgress(sent, bytes);
      });
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  await writer.putManifest(repository, tag, mediaType, text);
  return { sent, bytes };
}

function blobPath(layout: string, digest: string): string {
  return join(layout, 'blobs', ...digest.split(':'));
}
