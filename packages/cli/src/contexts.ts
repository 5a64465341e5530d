import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { badValue } from './failure.ts';
import type { Io } from './io.ts';
import { systemReason } from './read.ts';
import { writeFileSafely } from './write.ts';

/** A known Universe: its address, its CA and our identity on it. */
export interface UniverseContext {
  /** `https://172.30.0.10` */
  server: string;
  /** CA certificates (PEM) that the server's certificate must chain to. */
  authority: string;
  /** Absent after a logout. */
  token?: string;
  user: string;
  role?: string;
  expiresAt?: string;
}

export interface Contexts {
  current?: string;
  contexts: Record<string, UniverseContext>;
}

function contextsFile({ env, cwd }: Io): string {
  const settings = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return resolve(cwd, env.NOVA_CONTEXTS || join(settings, 'nova', 'contexts.json'));
}

export function readContexts(io: Io): Contexts {
  const file = contextsFile(io);
  const place = { file, line: 1, column: 1, snippet: '', caret: 0, length: 1 };
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { contexts: {} };
    throw new ProblemError({ ...problem('NOVA1003', { reason: systemReason(error) }), place });
  }
  const found = parsed(text);
  if (isContexts(found)) return found;
  throw new ProblemError({ ...problem('NOVA2009', { expected: asWritten }), place });
}

const asWritten: Text = {
  en: 'the file as `nova-ctl login` wrote it, or delete it and log in again',
  ru: 'файл в том виде, как его записал `nova-ctl login`; или удалите его и войдите заново',
};

/** By default, a context is named after the host of its Universe. */
export function contextName(option: string, name: string): string {
  if (/^[\w.:[\]-]{1,255}$/.test(name)) return name;
  throw badValue(option, { en: 'letters, digits, dots and dashes', ru: 'буквы, цифры, точки и дефисы' });
}

export function saveContext(io: Io, name: string, context: UniverseContext, { makeCurrent }: { makeCurrent: boolean }) {
  changeContexts(io, ({ current, contexts }) => ({
    ...(makeCurrent || current === undefined ? { current: name } : { current }),
    contexts: { ...contexts, [name]: context },
  }));
}

/** The file may hold tokens: only its owner can read it, and it is replaced atomically. */
export function changeContexts(io: Io, change: (contexts: Contexts) => Contexts): void {
  const file = contextsFile(io);
  const changed = change(readContexts(io));
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ProblemError(problem('NOVA6003', { file, reason: systemReason(error) }));
  }
  writeFileSafely(io, file, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600, mayOverwrite: true });
}

/** The context that commands use: `NOVA_CONTEXT` if set, otherwise the current one. */
export function chosenContext(io: Io): { name: string; context: UniverseContext } | undefined {
  const known = readContexts(io);
  const asked = io.env.NOVA_CONTEXT;
  const name = asked || known.current;
  if (name === undefined) return undefined;
  return { name, context: contextNamed(known, name, asked ? 'NOVA_CONTEXT' : 'current') };
}

export function contextNamed({ contexts }: Contexts, name: string, option: string): UniverseContext {
  const found = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (found) return found;
  const names = Object.keys(contexts).join(', ');
  if (names === '') throw new ProblemError(problem('NOVA8332', {}));
  throw badValue(option, { en: `one of ${names}`, ru: `одно из: ${names}` });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isContexts(value: unknown): value is Contexts {
  if (!isRecord(value) || !isRecord(value.contexts) || !isTextOrNothing(value.current)) return false;
  return Object.values(value.contexts).every(
    (each) =>
      isRecord(each) &&
      [each.server, each.authority, each.user].every((part) => typeof part === 'string') &&
      [each.token, each.role, each.expiresAt].every(isTextOrNothing),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
