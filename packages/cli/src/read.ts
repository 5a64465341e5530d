import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type LoadedDocument,
  loadDocuments,
  type Problem,
  ProblemError,
  problem,
  type Source,
  type Text,
} from '@nova-platform/api';
import { type ClusterPlan, readPlan } from '@nova-platform/plan';
import type { Io } from './io.ts';

const maxBytes = 5 * 1024 * 1024;
const maxSize = '5 MiB';
const documentName = /\.(ya?ml|json)$/i;

/** All documents in the named files and folders, and all their problems. */
export async function readDocuments(
  io: Io,
  names: readonly string[],
): Promise<{ documents: LoadedDocument[]; problems: Problem[] }> {
  const files = await Promise.all(names.map((name) => filesOf(io, name)));
  const sources: Source[] = [];
  const problems: Problem[] = [];
  for (const file of new Set(files.flat())) {
    try {
      sources.push({ name: file === '-' ? '<stdin>' : file, text: decode(file, await readBytes(io, file)) });
    } catch (error) {
      problems.push(...asProblems(error, file));
    }
  }
  const loaded = loadDocuments(sources);
  return { documents: loaded.documents, problems: [...problems, ...loaded.problems] };
}

/** A plan saved with `plan --output json`. */
export async function readPlanFile(io: Io, file: string): Promise<ClusterPlan> {
  try {
    return readPlan(decode(file, await readBytes(io, file, 512 * 1024 * 1024)));
  } catch (error) {
    throw new ProblemError(...asProblems(error, file));
  }
}

/** A folder expands to the documents below it, sorted by name. */
async function filesOf(io: Io, name: string): Promise<string[]> {
  const isFolder = name !== '-' && (await stat(resolve(io.cwd, name)).catch(() => undefined))?.isDirectory();
  if (!isFolder) return [name];
  const entries = await readdir(resolve(io.cwd, name), { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => !entry.isDirectory() && documentName.test(entry.name))
    .map((entry) => join(name, entry.parentPath.slice(resolve(io.cwd, name).length), entry.name))
    .filter((file) => !file.split('/').some((part) => part.startsWith('.') && !/^\.+$/.test(part)))
    .sort();
  // Reading an empty folder as a file reports the problem.
  return files.length > 0 ? files : [name];
}

async function readBytes(io: Io, file: string, limit: number = maxBytes): Promise<Buffer> {
  if (file === '-') return bounded(io.stdin, limit);
  const handle: FileHandle = await open(resolve(io.cwd, file));
  try {
    const info = await handle.stat();
    if (info.isDirectory()) throw new ProblemError(problem('NOVA1004', {}));
    if (info.size > limit) throw tooLarge();
    return await bounded(handle.createReadStream({ autoClose: false }), limit);
  } finally {
    await handle.close();
  }
}

async function bounded(stream: AsyncIterable<Buffer | string>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > limit) throw tooLarge();
  }
  return Buffer.concat(chunks);
}

function tooLarge(): ProblemError {
  return new ProblemError(problem('NOVA1001', { limit: maxSize }));
}

function decode(file: string, bytes: Buffer): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8; the throw below reports this.
  }
  throw new ProblemError(...asProblems(new ProblemError(problem('NOVA1002', {})), file));
}

function asProblems(error: unknown, file: string): Problem[] {
  const name = file === '-' ? '<stdin>' : file;
  const place = { file: name, line: 1, column: 1, snippet: '', caret: 0, length: 1 };
  if (error instanceof ProblemError) return error.problems.map((each) => ({ ...each, place: each.place ?? place }));
  return [{ ...problem('NOVA1003', { reason: systemReason(error) }), place }];
}

/** An operating system error, in words. */
export function systemReason(error: unknown): Text | string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, Text> = {
    ENOENT: { en: 'it does not exist', ru: 'он не существует' },
    EACCES: { en: 'permission denied', ru: 'нет прав' },
    EPERM: { en: 'permission denied', ru: 'нет прав' },
    EISDIR: { en: 'it is a folder', ru: 'это каталог' },
    ENOTDIR: { en: 'a part of the path is not a folder', ru: 'часть пути не является каталогом' },
    ENOSPC: { en: 'no space left', ru: 'нет места на диске' },
    EROFS: { en: 'the file system is read-only', ru: 'файловая система только для чтения' },
  };
  return reasons[code ?? ''] ?? message;
}
