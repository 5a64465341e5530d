import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import { parse, stringify } from 'yaml';
import { command } from '../../command.ts';
import { chosenContext } from '../../contexts.ts';
import { badValue } from '../../failure.ts';
import type { Io } from '../../io.ts';
import type { Output } from '../../output.ts';
import { universeOf } from '../../universe.ts';
import { writeFileSafely } from '../../write.ts';
import { type Credential, cacheCredential, cachedCredential, expiryOf } from './credential-cache.ts';

export interface KubeconfigFlags {
  merge?: boolean;
  static?: boolean;
  credential?: boolean;
  output: Output;
}

const credentialVersion = 'client.authentication.k8s.io/v1';

interface Named {
  name: string;
}

interface Kubeconfig {
  apiVersion: 'v1';
  kind: 'Config';
  clusters: (Named & { cluster: object })[];
  users: (Named & { user: object })[];
  contexts: (Named & { context: object })[];
  'current-context': string;
}

export const kubeconfig = command<KubeconfigFlags, [cluster: string]>(async function (flags, cluster) {
  const { io, t, style } = this;
  const { merge = false, static: isStatic = false, credential: isCredential = false, output } = flags;
  if (isCredential) {
    const data = execCredential(cachedCredential(io, cluster) ?? (await issued(io, cluster)));
    return { data, text: JSON.stringify(data) };
  }
  const access = isStatic ? await universeOf(io).client.kubeconfig({ params: { cluster } }) : await issued(io, cluster);
  const config = kubeconfigOf(cluster, access, isStatic ? staticUser(access) : execUser(io, cluster));
  if (!merge) return { data: config, text: stringify(config) };
  const file = kubeconfigFile(io);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const merged = existsSync(file) ? mergedWith(parse(readFileSync(file, 'utf8')), config) : config;
  writeFileSafely(io, file, stringify(merged), { mode: 0o600, mayOverwrite: true });
  const said = isStatic
    ? t({
        en: `The context ${cluster} is in ${file}, valid for an hour.`,
        ru: `Контекст ${cluster} добавлен в ${file}, действует час.`,
      })
    : t({ en: `The context ${cluster} is in ${file}.`, ru: `Контекст ${cluster} добавлен в ${file}.` });
  return { data: output === 'text' ? undefined : { file, context: cluster }, text: `${style.green('✓')} ${said}` };
});

type Access = Awaited<ReturnType<UniverseClient['kubeconfig']>>;

/** A new certificate. It replaces a cached one, which may belong to an earlier cluster of this name. */
async function issued(io: Io, cluster: string): Promise<Access> {
  const access = await universeOf(io).client.kubeconfig({ params: { cluster } });
  cacheCredential(io, cluster, access);
  return access;
}

/** The response to kubectl, see https://kubernetes.io/docs/reference/config-api/client-authentication.v1/ */
function execCredential(credential: Credential) {
  return {
    apiVersion: credentialVersion,
    kind: 'ExecCredential',
    status: {
      expirationTimestamp: expiryOf(credential).toISOString(),
      clientCertificateData: credential.certificate,
      clientKeyData: credential.key,
    },
  };
}

/** A user whose certificate kubectl gets from nova-ctl, from the same Universe even if the context changes. */
function execUser(io: Io, cluster: string): object {
  const { NOVA_UNIVERSE_SOCKET: socket } = io.env;
  const { connection } = universeOf(io);
  const context = 'socketPath' in connection ? undefined : chosenContext(io)?.name;
  const env = [
    ...(socket ? [{ name: 'NOVA_UNIVERSE_SOCKET', value: socket }] : []),
    ...(context !== undefined ? [{ name: 'NOVA_CONTEXT', value: context }] : []),
  ];
  return {
    exec: {
      apiVersion: credentialVersion,
      command: io.env.NOVA_CTL || 'nova-ctl',
      args: ['kubeconfig', cluster, '--credential'],
      ...(env.length > 0 && { env }),
      interactiveMode: 'Never',
      provideClusterInfo: false,
    },
  };
}

function staticUser({ certificate, key }: Access): object {
  return { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
}

function kubeconfigOf(cluster: string, { server, authority, user: name }: Access, user: object): Kubeconfig {
  const userName = `${name}@${cluster}`;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(authority) } }],
    users: [{ name: userName, user }],
    contexts: [{ name: cluster, context: { cluster, user: userName } }],
    'current-context': cluster,
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** Keeps existing entries, except those with the same names. */
function mergedWith(existing: unknown, added: Kubeconfig): object {
  const before = existing as Partial<Kubeconfig> | null;
  const joined = <T extends Named>(old: readonly T[] | undefined, fresh: readonly T[]) => [
    ...(old ?? []).filter(({ name }) => !fresh.some((each) => each.name === name)),
    ...fresh,
  ];
  return {
    ...before,
    ...added,
    clusters: joined(before?.clusters, added.clusters),
    users: joined(before?.users, added.users),
    contexts: joined(before?.contexts, added.contexts),
  };
}

function kubeconfigFile({ env, cwd }: Io): string {
  const named = env.KUBECONFIG;
  if (named?.includes(':'))
    throw badValue('KUBECONFIG', { en: 'a single file for --merge', ru: 'один файл для --merge' });
  return resolve(cwd, named || join(env.HOME || homedir(), '.kube', 'config'));
}
