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
  parseAllDocuments,
  visit,
} from 'yaml';
import { type Path, type Place, type Problem, problem } from './problem.ts';
import { visible } from './text.ts';

export interface Source {
  name: string;
  text: string;
}

/** A YAML document as plain values, with the places of all its fields. */
export interface YamlDocument {
  source: Source;
  value: unknown;
  /** The place of a field: its value, its key, or the nearest existing parent. */
  locate(path: Path, target?: 'key' | 'value'): Place;
}

// Far above any real manifest, and far below a stack or memory overflow.
const maxDepth = 100;
const maxAliasedValues = 50_000;
const maxProblems = 100;

const secretWords = ['password', 'passwd', 'secret', 'token', 'credential'];

/** Reads all documents of a file and reports all problems of its YAML. */
export function parseYaml(source: Source): { documents: YamlDocument[]; problems: Problem[] } {
  // The library creates an Error for every mistake; stack traces would take most of the time.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parseDocuments(source);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function parseDocuments(source: Source): { documents: YamlDocument[]; problems: Problem[] } {
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
    if (isTooDeep(parser.stack)) {
      report(problem('NOVA1104', { limit: maxDepth }), parser.offset);
      return { documents, problems };
    }
  }
  tokens.push(...parser.end());

  // Duplicate keys are found below: the library's own search is quadratic.
  const composer = new Composer({
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    resolveKnownTags: false,
  });
  for (const document of composer.compose(tokens, false, source.text.length)) {
    for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
      if (code === 'TAB_AS_INDENT') report(problem('NOVA1102', {}), pos[0], pos[1], document);
      else if (code === 'TAG_RESOLVE_FAILED') report(unsupported('tag'), pos[0], pos[1], document);
      else report(problem('NOVA1101', { reason: firstSentence(message) }), pos[0], pos[1], document);
    }
    if (document.errors.length > 0 || isEmpty(document.contents)) continue;
    const targets = new Map<Node, Node>();
    const value = toPlain(document, targets, lines, (found, node) => {
      const [start, end] = node.range ?? [0, 0];
      report(found, start, end, document);
    });
    documents.push({
      source,
      value,
      locate: (path, target = 'value') => {
        const [start, end] = locate(document, targets, path, target);
        return lines.place(start, end, document);
      },
    });
  }
  return { documents, problems };
}

/** Documents with a change; everything else stays as written. */
export function rewritten(text: string, change: (document: Document, all: readonly Document[]) => void): string {
  const documents = parseAllDocuments(text);
  for (const document of documents) change(document, documents);
  const asWritten = { directives: false, flowCollectionPadding: false, lineWidth: 0 };
  return documents.map((document) => document.toString(asWritten)).join('---\n');
}

/** Counts nested collections; the parser's stack also grows with every mistake. */
function isTooDeep(stack: readonly { type: string }[]): boolean {
  if (stack.length <= maxDepth) return false;
  const collections = stack.filter(({ type }) => /^(?:block-map|block-seq|flow-collection)$/.test(type));
  return collections.length > maxDepth || stack.length > 10 * maxDepth;
}

/** A document with only comments, as after a last `---`. */
function isEmpty(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && !contents.source);
}

/** The library's message without quotes from the source, which may contain a secret. */
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

/** Converts to plain values: resolves and counts aliases, finds duplicate keys, and accepts only strings as keys. */
function toPlain(
  document: Document,
  /** The target of every alias: an anchor's name can be reused. */
  targets: Map<Node, Node>,
  lines: Lines,
  report: (found: Problem, node: Node) => void,
): unknown {
  const anchors = new Map<string, { node: Node; value: unknown; size: number }>();
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
      targets.set(node, anchor.node);
      // The value is shared, but a walk over the document visits it again in full.
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
  targets: ReadonlyMap<Node, Node>,
  path: Path,
  target: 'key' | 'value',
): [start: number, end: number] {
  const range = (node: unknown): [number, number] | undefined => {
    const found = (node as Node | null)?.range;
    return found ? [found[0], found[1]] : undefined;
  };
  let here = document.contents as Node | null;
  let place = range(here) ?? [0, 0];
  // The place of a mapping is its first key.
  if (isMap(here)) place = range(here.items[0]?.key) ?? place;
  for (const [index, step] of path.entries()) {
    if (isAlias(here)) here = targets.get(here) ?? null;
    if (isMap(here)) {
      const pair = here.items.find(({ key }) => isScalar(key) && (key.value === step || key.source === step));
      if (pair === undefined) break;
      here = pair.value as Node | null;
      const isKey = index < path.length - 1 || target === 'key' || !isScalar(here) || here.source === '';
      place = (isKey ? range(pair.key) : range(here)) ?? place;
    } else if (isSeq(here) && typeof step === 'number') {
      const item = here.items[step] as Node | undefined;
      if (item === undefined) break;
      here = item;
      place = (isMap(item) ? range(item.items[0]?.key) : range(item)) ?? place;
    } else break;
  }
  return place;
}

/** Converts offsets to lines and columns, and shows lines with secrets masked. */
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
    const lineEnd = this.endOf(line - 1);
    // Very long lines are shown in part.
    const from = Math.max(lineStart, offset - 100);
    const to = Math.max(from, Math.min(lineEnd, offset + 100));
    const hidden = this.hiddenIn(Math.max(lineStart, from - 100), to, document);
    const before = this.shown(from, offset, hidden);
    const after = this.shown(offset, to, hidden);
    const marked = this.shown(offset, Math.max(offset, Math.min(end, to)), hidden);
    return {
      file: this.source.name,
      line,
      column,
      snippet: before + after,
      caret: before.length,
      length: Math.max(1, marked.length),
    };
  }

  /** A part of one line, with secrets and control characters replaced. */
  private shown(from: number, to: number, hidden: [number, number][]): string {
    let text = '';
    let at = from;
    for (const [start, end] of hidden) {
      if (end <= at || start >= to) continue;
      text += `${this.source.text.slice(at, Math.max(at, start))}******`;
      at = Math.min(end, to);
    }
    return visible(text + this.source.text.slice(at, to));
  }

  /** Ranges of a line that contain secrets: from the syntax tree and, if the syntax is broken, from the line itself. */
  private hiddenIn(start: number, end: number, document: Document | undefined): [number, number][] {
    const line = this.source.text.slice(start, end);
    const known = (document ? this.secretsOf(document) : []).filter(([from, to]) => from < end && to > start);
    const seen = this.isInSecretBlock(start) ? [[0, line.length] as [number, number]] : secretsIn(line);
    const all = [...known, ...seen.map(([from, to]): [number, number] => [start + from, start + to])];
    return all
      .sort(([a], [b]) => a - b)
      .reduce<[number, number][]>((merged, [from, to]) => {
        const last = merged.at(-1);
        if (last && from <= last[1]) last[1] = Math.max(last[1], to);
        else merged.push([from, to]);
        return merged;
      }, []);
  }

  /**
   * Whether the line is part of a secret from a line above: it is indented deeper than that key, or has no `key:` or `-
   * ` of its own.
   */
  private isInSecretBlock(start: number): boolean {
    let line = this.position(start).line - 1;
    const own = this.lineAt(line);
    let indent = indentOf(own);
    let continues = !beginsEntry.test(own);
    // No secret has more lines than this.
    for (let looked = 0; line > 0 && looked < 50; looked += 1) {
      line -= 1;
      const above = this.lineAt(line);
      if (above.trim() === '') continue;
      if (continues || indentOf(above) < indent) {
        const key = secretKeyOf(above);
        if (key !== undefined) return true;
        if (beginsEntry.test(above)) continues = false;
        indent = Math.min(indent, indentOf(above));
        if (indent === 0 && !continues) return false;
      }
    }
    return false;
  }

  private lineAt(index: number): string {
    return this.source.text.slice(this.starts[index] ?? 0, this.endOf(index)).slice(0, 500);
  }

  /** The end of a line, without its line break. */
  private endOf(index: number): number {
    const start = this.starts[index] ?? 0;
    const end = (this.starts[index + 1] ?? this.source.text.length + 1) - 1;
    return Math.max(start, this.source.text[end - 1] === '\r' ? end - 1 : end);
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

/** Mistyped keys such as `passwrod` count too. */
export function isSecretKey(key: string): boolean {
  const name = key.toLowerCase().slice(0, 64);
  return secretWords.some((word) => name.includes(word) || distance(name, word) <= 2);
}

const keyPattern = /([A-Za-z][\w-]{2,63})["']?[ \t]{0,8}:/g;
const beginsEntry = /^\s*(?:- |["']?[\w./-]{1,100}["']?\s{0,8}:(?:\s|$))/;

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function secretKeyOf(line: string): string | undefined {
  return [...line.matchAll(keyPattern)].map((match) => match[1] ?? '').find(isSecretKey);
}

/** Everything after the first secret key of a line, and passwords in URLs (`user:password@`). */
function secretsIn(line: string): [start: number, end: number][] {
  const keys = [...line.matchAll(keyPattern)].filter((match) => isSecretKey(match[1] ?? ''));
  const afterKey = keys.slice(0, 1).map((match): [number, number] => {
    const end = match.index + match[0].length;
    return [end + (line.length - end - line.slice(end).trimStart().length), line.length];
  });
  const inAddresses = [...line.matchAll(/:\/\/[^\s:@/]{0,256}:(\S{1,1024})@/dg)].flatMap((match) =>
    match.indices?.[1] ? [match.indices[1]] : [],
  );
  return [...afterKey.filter(([start, end]) => start < end), ...inAddresses];
}
