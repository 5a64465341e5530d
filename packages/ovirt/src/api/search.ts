import { ProblemError, problem } from '@nova-platform/api';

type Searchable = string | number | readonly string[] | undefined;

/** The keys of a resource, in lower case, and their values. `name` is required. */
export type SearchKeys<Item> = Record<string, (item: Item) => Searchable>;

export interface Query {
  search?: string | undefined;
  max?: string | undefined;
  case_sensitive?: string | undefined;
}

type Condition<Item> = (item: Item) => boolean;

/** The number of items on a page, unless the request has a `max`. */
const pageSize = 100;
const maxLength = 4096;
const maxDepth = 20;
const token = /\s*("(?:[^"\\]|\\.)*"|<=|>=|!=|[=<>()]|[^\s"=<>!()]+)/y;

/** Filters, sorts and pages a list by a query of oVirt: `name=web* and status=up sortby name desc page 2`. */
export function searched<Item>(items: readonly Item[], keys: SearchKeys<Item>, query: Query): readonly Item[] {
  const max = limitOf(query.max);
  if (query.search === undefined || query.search.trim() === '') return items.slice(0, max);
  const { condition, order, page } = new Parser(keys, query).parse();
  const found = order(items.filter(condition));
  if (page === undefined) return found.slice(0, max);
  const size = max ?? pageSize;
  return found.slice((page - 1) * size, page * size);
}

/** Negative means everything, as in oVirt. */
function limitOf(max: string | undefined): number | undefined {
  if (max === undefined || /^-\d+$/.test(max)) return undefined;
  if (!/^\d{1,9}$/.test(max)) throw new ProblemError(problem('NOVA7026', { field: 'max', expected: '100' }));
  return Number(max);
}

class Parser<Item> {
  readonly #keys: SearchKeys<Item>;
  readonly #text: string;
  readonly #tokens: string[];
  readonly #isCaseSensitive: boolean;
  #next = 0;
  #depth = 0;

  constructor(keys: SearchKeys<Item>, { search = '', case_sensitive }: Query) {
    this.#keys = keys;
    this.#text = search;
    this.#isCaseSensitive = case_sensitive === 'true';
    // `Vms: name=x`: the resource is known from the path.
    this.#tokens = this.#split(search.replace(/^\s*[a-z]+\s*:/i, ''));
  }

  parse(): { condition: Condition<Item>; order: (items: Item[]) => Item[]; page: number | undefined } {
    const isEnd = () => this.#peek() === undefined || this.#isWord('sortby') || this.#isWord('page');
    const condition = isEnd() ? () => true : this.#any();
    const order = this.#takeWord('sortby') ? this.#order() : (items: Item[]) => items;
    const page = this.#takeWord('page') ? Number(this.#value()) : undefined;
    if (page !== undefined && !(Number.isInteger(page) && page > 0)) throw this.#refusal();
    if (this.#peek() !== undefined) throw this.#refusal();
    return { condition, order, page };
  }

  #any(): Condition<Item> {
    const options = [this.#all()];
    while (this.#takeWord('or')) options.push(this.#all());
    return (item) => options.some((each) => each(item));
  }

  #all(): Condition<Item> {
    const conditions = [this.#one()];
    while (this.#takeWord('and')) conditions.push(this.#one());
    return (item) => conditions.every((each) => each(item));
  }

  #one(): Condition<Item> {
    if (this.#peek() === '(') {
      this.#next += 1;
      this.#depth += 1;
      if (this.#depth > maxDepth) throw this.#refusal();
      const inner = this.#any();
      if (this.#take() !== ')') throw this.#refusal();
      return inner;
    }
    const left = this.#value();
    const operator = this.#peek() ?? '';
    if (!/^(=|!=|<|>|<=|>=)$/.test(operator)) return this.#compare('name', '=', left);
    this.#next += 1;
    return this.#compare(left, operator, this.#value());
  }

  #compare(key: string, operator: string, wanted: string): Condition<Item> {
    const read = this.#key(key);
    const fold = (text: string) => (this.#isCaseSensitive ? text : text.toLowerCase());
    const matches = matcher(fold(wanted));
    const isEqual = (value: Searchable) =>
      (Array.isArray(value) ? value : [value]).some((each) => each !== undefined && matches(fold(String(each))));
    return (item) => {
      const value = read(item);
      if (operator === '=') return isEqual(value);
      if (operator === '!=') return !isEqual(value);
      if (value === undefined || Array.isArray(value)) return false;
      const order = compare(typeof value === 'number' ? Number(wanted) : wanted, value as string | number);
      return operator.endsWith('=') && order === 0 ? true : operator.startsWith('<') ? order > 0 : order < 0;
    };
  }

  #order(): (items: Item[]) => Item[] {
    const read = this.#key(this.#value());
    const direction = this.#takeWord('desc') ? -1 : 1;
    this.#takeWord('asc');
    const comparable = (item: Item) => {
      const value = read(item);
      return typeof value === 'number' ? value : String(value ?? '');
    };
    return (items) => items.toSorted((one, other) => direction * compare(comparable(one), comparable(other)));
  }

  #key(key: string): (item: Item) => Searchable {
    const read = Object.hasOwn(this.#keys, key.toLowerCase()) ? this.#keys[key.toLowerCase()] : undefined;
    if (read) return read;
    throw new ProblemError(problem('NOVA7610', { key, known: Object.keys(this.#keys).join(', ') }));
  }

  #value(): string {
    const found = this.#take();
    if (found === undefined || /^[=<>!()]/.test(found)) throw this.#refusal();
    return found.startsWith('"') ? found.slice(1, -1).replaceAll(/\\(.)/g, '$1') : found;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#next];
  }

  #take(): string | undefined {
    const found = this.#peek();
    this.#next += 1;
    return found;
  }

  #isWord(word: string): boolean {
    return this.#peek()?.toLowerCase() === word;
  }

  #takeWord(word: string): boolean {
    if (!this.#isWord(word)) return false;
    this.#next += 1;
    return true;
  }

  #split(text: string): string[] {
    if (text.length > maxLength) throw this.#refusal();
    const tokens: string[] = [];
    const rest = text.trimEnd();
    token.lastIndex = 0;
    while (token.lastIndex < rest.length) {
      const [, found] = token.exec(rest) ?? [];
      if (found === undefined) throw this.#refusal();
      tokens.push(found);
    }
    return tokens;
  }

  #refusal(): ProblemError {
    return new ProblemError(problem('NOVA7609', { search: this.#text.slice(0, 200) }));
  }
}

/** `*` matches any text. Without a regular expression: a pattern of a client must not take long. */
function matcher(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*');
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
    let position = first.length;
    for (const part of parts.slice(1, -1)) {
      const found = text.indexOf(part, position);
      if (found === -1) return false;
      position = found + part.length;
    }
    return position <= text.length - last.length;
  };
}

function compare(one: string | number, other: string | number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
