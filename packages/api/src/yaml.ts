import { distance } from 'fastest-levenshtein';
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  visit,
} from 'yaml';
import { type Path, type Place, type Problem, problem } from './problem.ts';
import { visible } from './text.ts';

export interface Source {
  name: string;
  text: string;
}

/** A YAML document as plain values, which still knows where each of them stands. */
export interface YamlDocument {
  source: Source;
  value: unknown;
  /** The place of a field: its value, its key, or the nearest thing above it that exists. */
  locate(path: Path, target?: 'key' | 'value'): Place;
}

// Far beyond any real manifest, far below what would overflow the stack or the memory.
const maxDepth = 100;
const maxAliasedValues = 50_000;
const maxProblems = 100;

const secretWords = ['password', 'passwd', 'secret', 'token', 'credential'];

/** Reads all documents of a file, and everything that is wrong with its YAML. */
export function parseYaml(source: Source): { documents: YamlDocument[]; problems: Problem[] } {
  const lines = new Lines(source);
  const problems: Problem[] = [];
  const documents: YamlDocument[] = [];
  const report = (found: Problem, offset: number, end?: number, document?: Document): void => {
    if (problems.length < maxProblems) problems.push({ ...found, place: lines.place(offset, end, document) });
  };

  const tokens = [];
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(source.text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > maxDepth) {
      report(problem('NOVA1104', { limit: maxDepth }), parser.offset);
      return { documents, problems };
    }
  }
  tokens.push(...parser.end());

  // Duplicate keys are found below: the library's own search takes quadratic time.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  for (const document of composer.compose(tokens, false, source.text.length)) {
    for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
      if (code === 'TAB_AS_INDENT') report(problem('NOVA1102', {}), pos[0], pos[1], document);
      else if (code === 'TAG_RESOLVE_FAILED') report(unsupported('tag'), pos[0], pos[1], document);
      else report(problem('NOVA1101', { reason: firstSentence(message) }), pos[0], pos[1], document);
    }
    if (document.errors.length > 0 || isEmpty(document.contents)) continue;
    const anchors = new Map<string, { node: Node; value: unknown; size: number }>();
    const value = toPlain(document, anchors, lines, (found, node) => {
      const [start, end] = node.range ?? [0, 0];
      report(found, start, end, document);
    });
    documents.push({
      source,
      value,
      locate: (path, target = 'value') => {
        const [start, end] = locate(document, anchors, path, target);
        return lines.place(start, end, document);
      },
    });
  }
  return { documents, problems };
}

/** Nothing but comments, as after a last `---`. */
function isEmpty(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && !contents.source);
}

/** The library's message without what it quotes from the source, which may be a secret. */
function firstSentence(message: string): string {
  return message
    .replace(/ at line \d+, column \d+.*$/s, '')
    .replace(/(?:[:;]? *(["'`]).*\1|(?<=\w): ).*$/s, '')
    .replace(/[.:]$/, '');
}

const features = {
  tag: { en: 'A YAML tag', ru: 'тег YAML' },
  key: { en: 'A key that is not text', ru: 'ключ, который не является текстом' },
  merge: { en: 'The merge key <<', ru: 'ключ слияния <<' },
  alias: { en: 'An alias without an anchor above it', ru: 'ссылка на якорь, которого выше нет' },
};

function unsupported(feature: keyof typeof features): Problem {
  return problem('NOVA1106', { feature: features[feature] });
}

/** To plain values: aliases resolved and counted, duplicate keys found, nothing but text as keys. */
function toPlain(
  document: Document,
  anchors: Map<string, { node: Node; value: unknown; size: number }>,
  lines: Lines,
  report: (found: Problem, node: Node) => void,
): unknown {
  let aliased = 0;
  let values = 0;

  const convert = (node: Node | null): unknown => {
    values += 1;
    if (node === null) return null;
    if (isAlias(node)) {
      const anchor = anchors.get(node.source);
      if (anchor === undefined) {
        report(unsupported('alias'), node);
        return null;
      }
      // The value is shared, but whoever walks it will meet it again in full.
      values += anchor.size;
      aliased += anchor.size;
      if (aliased > maxAliasedValues) {
        if (aliased - anchor.size <= maxAliasedValues) report(problem('NOVA1105', { limit: maxAliasedValues }), node);
        return null;
      }
      return anchor.value;
    }
    const before = values;
    const value = isMap(node) ? convertMap(node.items) : isSeq(node) ? convertSeq(node.items) : scalar(node);
    if (node.anchor) anchors.set(node.anchor, { node, value, size: values - before + 1 });
    return value;
  };

  const scalar = (node: Node): unknown => (isScalar(node) ? node.value : null);

  const convertSeq = (items: unknown[]): unknown[] => items.map((item) => convert(item as Node));

  const convertMap = (items: { key: unknown; value: unknown }[]): Record<string, unknown> => {
    const entries = new Map<string, unknown>();
    const firstKeys = new Map<string, Node>();
    for (const { key, value } of items) {
      const node = key as Node;
      if (!isScalar(key) || key.value === null) {
        if (node?.range) report(unsupported('key'), node);
        continue;
      }
      const name = typeof key.value === 'string' ? key.value : (key.source ?? JSON.stringify(key.value));
      const first = firstKeys.get(name);
      if (name === '<<') report(unsupported('merge'), node);
      else if (first !== undefined) {
        report(problem('NOVA1103', { key: name, line: lines.position(first.range?.[0] ?? 0).line }), node);
      } else {
        firstKeys.set(name, node);
        entries.set(name, convert(value as Node | null));
      }
    }
    return Object.fromEntries(entries);
  };

  return convert(document.contents as Node);
}

function locate(
  document: Document,
  anchors: Map<string, { node: Node }>,
  path: Path,
  target: 'key' | 'value',
): [start: number, end: number] {
  const range = (node: unknown): [number, number] | undefined => {
    const found = (node as Node | null)?.range;
    return found ? [found[0], found[1]] : undefined;
  };
  let here = document.contents as Node | null;
  let place = range(here) ?? [0, 0];
  // A whole mapping is pointed at by its first key.
  if (isMap(here)) place = range(here.items[0]?.key) ?? place;
  for (const [index, step] of path.entries()) {
    if (isAlias(here)) here = anchors.get(here.source)?.node ?? null;
    if (isMap(here)) {
      const pair = here.items.find(({ key }) => isScalar(key) && (key.value === step || key.source === step));
      if (pair === undefined) break;
      here = pair.value as Node | null;
      const wantsKey = index < path.length - 1 || target === 'key' || !isScalar(here) || here.source === '';
      place = (wantsKey ? range(pair.key) : range(here)) ?? place;
    } else if (isSeq(here) && typeof step === 'number') {
      const item = here.items[step] as Node | undefined;
      if (item === undefined) break;
      here = item;
      place = (isMap(item) ? range(item.items[0]?.key) : range(item)) ?? place;
    } else break;
  }
  return place;
}

/** Offsets to lines and columns, and the lines themselves as they may be shown. */
class Lines {
  private readonly starts: number[] = [0];
  private readonly secrets = new Map<Document, [start: number, end: number][]>();
  private readonly source: Source;

  constructor(source: Source) {
    this.source = source;
    for (let at = source.text.indexOf('\n'); at !== -1; at = source.text.indexOf('\n', at + 1))
      this.starts.push(at + 1);
  }

  position(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.starts[low] ?? 0) + 1 };
  }

  place(start: number, end: number = start + 1, document?: Document): Place {
    const offset = Math.min(start, this.source.text.length);
    const { line, column } = this.position(offset);
    const lineStart = this.starts[line - 1] ?? 0;
    const lineEnd = Math.max(lineStart, (this.starts[line] ?? this.source.text.length + 1) - 1);
    const hidden = document ? this.secretsOf(document) : [];
    // Show a window of very long lines.
    const from = Math.max(lineStart, offset - 100);
    const to = Math.min(lineEnd, offset + 100);
    const before = this.shown(from, offset, hidden);
    const after = this.shown(offset, to, hidden);
    const meant = this.shown(offset, Math.max(offset, Math.min(end, to)), hidden);
    return {
      file: this.source.name,
      line,
      column,
      snippet: before + after,
      caret: before.length,
      length: Math.max(1, meant.length),
    };
  }

  /** A stretch of one line, with secret values and control characters replaced. */
  private shown(from: number, to: number, hidden: [number, number][]): string {
    let text = '';
    let at = from;
    for (const [start, end] of hidden) {
      if (end <= at || start >= to) continue;
      text += `${this.source.text.slice(at, Math.max(at, start))}******`;
      at = Math.min(end, to);
    }
    return visible(mask(text + this.source.text.slice(at, to)));
  }

  private secretsOf(document: Document): [number, number][] {
    const known = this.secrets.get(document);
    if (known) return known;
    const found: [number, number][] = [];
    visit(document, {
      Pair: (_, pair) => {
        if (isPair(pair) && isScalar(pair.key) && isSecretKey(String(pair.key.value))) {
          const range = (pair.value as Node | null)?.range;
          if (range) found.push([range[0], range[1]]);
        }
      },
    });
    this.secrets.set(document, found);
    return found;
  }
}

/** Also a mistyped `passwrod` holds a password. */
export function isSecretKey(key: string): boolean {
  const name = key.toLowerCase().slice(0, 64);
  return secretWords.some((word) => name.includes(word) || distance(name, word) <= 2);
}

/** What the syntax tree cannot tell where the syntax is broken: `password: …` to the end, and `user:password@` in addresses. */
function mask(line: string): string {
  return line
    .replace(/((?:passw|secret|token|credential)[\w-]*["']?\s*:\s*)(?!\*{6})\S.*$/i, '$1******')
    .replace(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, '$1******@');
}
