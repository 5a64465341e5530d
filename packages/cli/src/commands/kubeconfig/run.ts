import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { command } from '../../command.ts';
import { badValue } from '../../failure.ts';
import type { Io } from '../../io.ts';
import type { Output } from '../../output.ts';
import { universeOf } from '../../universe.ts';
import { writeFileSafely } from '../../write.ts';

export interface KubeconfigFlags {
  merge?: boolean;
  output: Output;
}

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

export const kubeconfig = command<KubeconfigFlags, [cluster: string]>(async function (
  { merge = false, output },
  cluster,
) {
  const { io, t, style } = this;
  const access = await universeOf(io).client.kubeconfig({ params: { cluster } });
  const config = kubeconfigOf(cluster, access);
  if (!merge) return { data: config, text: stringify(config) };
  const file = kubeconfigFile(io);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const merged = existsSync(file) ? mergedWith(parse(readFileSync(file, 'utf8')), config) : config;
  writeFileSafely(io, file, stringify(merged), { mode: 0o600, mayOverwrite: true });
  const said = t({
    en: `${file} has the context ${cluster} now, for an hour.`,
    ru: `В ${file} теперь есть контекст ${cluster}, на час.`,
  });
  return { data: output === 'text' ? undefined : { file, context: cluster }, text: `${style.green('✓')} ${said}` };
});

function kubeconfigOf(
  cluster: string,
  access: { server: string; authority: string; certificate: string; key: string; user: string },
): Kubeconfig {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const user = `${access.user}@${cluster}`;
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: cluster, cluster: { server: access.server, 'certificate-authority-data': base64(access.authority) } },
    ],
    users: [
      {
        name: user,
        user: { 'client-certificate-data': base64(access.certificate), 'client-key-data': base64(access.key) },
      },
    ],
    contexts: [{ name: cluster, context: { cluster, user } }],
    'current-context': cluster,
  };
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
