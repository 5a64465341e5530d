import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { ProblemError, problem } from '@nova-platform/api';
import type { RegistryAccess } from './contract.ts';

export interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
}

const manifestTypes = ['application/vnd.oci.image.manifest.v1+json', 'application/vnd.oci.image.index.v1+json'].join(
  ', ',
);

/** The part of the distribution protocol that uploads images. */
export class RegistryWriter {
  readonly #url: string;
  readonly #authorization: string;

  constructor({ url, username, password }: RegistryAccess) {
    this.#url = url;
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  async hasBlob(repository: string, digest: string): Promise<boolean> {
    return (await this.#send('HEAD', `/v2/${repository}/blobs/${digest}`, [200, 404])).status === 200;
  }

  async digestOf(repository: string, tag: string): Promise<string | undefined> {
    const response = await this.#send('HEAD', `/v2/${repository}/manifests/${tag}`, [200, 404], {
      headers: { accept: manifestTypes },
    });
    return response.status === 200 ? (response.headers.get('docker-content-digest') ?? undefined) : undefined;
  }

  /**
   * Uploads in one piece: an interrupted upload starts again, and the registry stores a blob only if its digest
   * matches.
   */
  async putBlob(
    repository: string,
    { digest, size }: Descriptor,
    file: string,
    onBytes: (bytes: number) => void,
  ): Promise<void> {
    const begun = await this.#send('POST', `/v2/${repository}/blobs/uploads/`, [202]);
    const place = new URL(begun.headers.get('location') ?? '', this.#url);
    place.searchParams.set('digest', digest);
    const content = createReadStream(file).on('data', (chunk) => onBytes(chunk.length));
    await this.#send('PUT', place.href, [201], {
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
      body: Readable.toWeb(content) as ReadableStream,
      duplex: 'half',
    });
  }

  async putManifest(repository: string, tag: string, mediaType: string, text: string): Promise<void> {
    await this.#send('PUT', `/v2/${repository}/manifests/${tag}`, [201], {
      headers: { 'content-type': mediaType },
      body: text,
    });
  }

  async repositories(): Promise<string[]> {
    const { repositories } = (await (await this.#send('GET', '/v2/_catalog?n=1000', [200])).json()) as {
      repositories: string[];
    };
    return repositories;
  }

  async tags(repository: string): Promise<string[]> {
    const response = await this.#send('GET', `/v2/${repository}/tags/list`, [200, 404]);
    if (response.status === 404) return [];
    return ((await response.json()) as { tags: string[] | null }).tags ?? [];
  }

  async #send(
    method: string,
    path: string,
    expected: readonly number[],
    init: RequestInit & { duplex?: 'half' } = {},
  ): Promise<Response> {
    const response = await fetch(new URL(path, this.#url), {
      ...init,
      method,
      headers: { authorization: this.#authorization, ...(init.headers as Record<string, string>) },
    }).catch((error: Error) => {
      throw new ProblemError(
        problem('NOVA8213', { reason: String((error.cause as Error | undefined)?.message ?? error.message) }),
      );
    });
    if (expected.includes(response.status)) return response;
    throw new ProblemError(
      problem('NOVA8213', { reason: `${response.status} ${(await response.text()).slice(0, 500)}` }),
    );
  }
}
