import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { cacheFolder, chooseComponents, findBuilt, findToolchain, readComponents } from '@nova-platform/distro';
import { openRepositories } from '@nova-platform/git';
import { commitFiles } from '@nova-platform/git/testing';

/** The address of a company's servers, as seen from clusters on this host. */
export const companyAddress = '172.30.0.1';

/** The ports of these servers, which run on this host. */
export const companyPorts = ['53/tcp', '53/udp', '18080/tcp'];

/** A company's own DNS server; `zones` are blocks of a Corefile. */
export async function companyDns(folder: string, zones: string): Promise<ChildProcess> {
  const [component] = chooseComponents(await readComponents(), ['coredns']);
  const built = component && (await findBuilt(component, await findToolchain(cacheFolder(), () => undefined)));
  if (!built) throw new Error('coredns is not built');
  const file = join(folder, 'Corefile');
  writeFileSync(file, zones);
  const child = spawn(join(built.folder, 'bin', 'coredns'), ['-conf', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  // The first output means that it serves.
  await once(child.stdout, 'data');
  return child;
}

const gitServer = `${companyAddress}:18080`;
/** A file on the same server, next to the repositories. */
export const companyBase = `http://${gitServer}/base.yaml`;

/** A company's git server with a team's repository; records the requested paths. */
export async function companyGit(
  folder: string,
  files: Record<string, string>,
): Promise<{ url: string; server: Server; asked: string[] }> {
  const repositories = await openRepositories(join(folder, 'git'), () => undefined);
  await commitFiles(await repositories.ensure('apps'), files);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    asked.push(url);
    void repositories.serve(request, response, url);
  });
  const [host, port] = gitServer.split(':');
  server.listen(Number(port), host);
  await once(server, 'listening');
  return { url: `http://${gitServer}/apps.git`, server, asked };
}

export interface Artifact {
  name: string;
  tag: string;
  configType: string;
  layerType: string;
  /** The files of a chart are in a folder with its name. */
  files: Record<string, string>;
}

/** An artifact that is not an image, as an OCI layout. */
export function writeArtifact(folder: string, { name, tag, configType, layerType, files }: Artifact): string {
  const layout = mkdtempSync(join(folder, 'layout-'));
  const content = mkdtempSync(join(folder, 'content-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(content, path)), { recursive: true });
    writeFileSync(join(content, path), text);
  }
  mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true });
  const blob = (mediaType: string, bytes: Buffer) => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(layout, 'blobs', 'sha256', hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const config = blob(configType, Buffer.from(JSON.stringify({ name, version: tag })));
  const layer = blob(layerType, execFileSync('tar', ['-czf', '-', '-C', content, ...readdirSync(content)]));
  const manifest = blob(
    mediaType,
    Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config, layers: [layer] })),
  );
  const annotations = { 'org.opencontainers.image.ref.name': `${name}:${tag}` };
  writeFileSync(
    join(layout, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }),
  );
  return layout;
}
