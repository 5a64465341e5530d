import { ProblemError, problem, type Text } from '@nova-platform/api';
import type { Facts } from '@nova-platform/catalog';
import type { FastifyRequest } from 'fastify';

export const kibibyte = 1024;
/** More than any agent sends. A short text of empty brackets would become a large value. */
const most = { depth: 100, values: 500_000 };

export function bodyOf(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

/** Facts are sent as a form field: JSON, URL-encoded twice. */
export function readFacts(body: string, name: string): Facts {
  const encoded = new URLSearchParams(body).get('facts');
  const facts = encoded === null ? undefined : readJson(decode(encoded));
  const values = (facts as { values?: unknown } | null | undefined)?.values;
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw unreadable({ en: `the body has no facts of ${name}`, ru: `нет фактов узла ${name}` });
  }
  return values as Facts;
}

export function readJson(text: string): unknown {
  assertModest(text);
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable({ en: 'the body is not JSON', ru: 'это не JSON' });
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable({ en: 'the encoding is not valid', ru: 'неверная кодировка' });
  }
}

/** Counts brackets and commas outside strings before parsing. */
function assertModest(text: string): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') values += 1;
    else if (character === '[' || character === '{') {
      depth += 1;
      values += 1;
    }
    if (depth > most.depth || values > most.values) {
      throw unreadable({
        en: 'the body is nested too deeply or too large',
        ru: 'слишком глубокая вложенность или слишком большой размер',
      });
    }
  }
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function unreadable(reason: Text): ProblemError {
  return new ProblemError(problem('NOVA8025', { reason }));
}
