import { ProblemError, problem } from '@nova-platform/api';
import sax, { type SAXOptions } from 'sax';

/** An element of a request: text, or attributes and children by name. A repeated child is an array. */
export type Received = string | { [name: string]: Received | Received[] };

/** An element of a response. Numbers, booleans and text are leaves; `undefined` is left out. */
export type Shown = string | number | boolean | undefined | readonly Shown[] | { readonly [name: string]: Shown };

const maxDepth = 24;
const mostElements = 10_000;
// Everything else is a child element.
const attributes: ReadonlySet<string> = new Set(['id', 'href', 'rel']);

/** Parses a request. DTDs, and with them entities, are refused; depth and the number of elements are limited. */
export function parseXml(text: string, maxElements: number = mostElements): Received {
  const stack: { name: string; text: string; children: Record<string, Received | Received[]> | undefined }[] = [];
  let root: Received | undefined;
  let elements = 0;
  const refuse = (reason: string): never => {
    throw new ProblemError(problem('NOVA7606', { reason }));
  };
  // Without it, the entities of HTML are known too. The types of the library lack it.
  const options: SAXOptions & { strictEntities: boolean } = { strictEntities: true };
  const reader = sax.parser(true, options);
  reader.onerror = ({ message }) => refuse(message.split('\n')[0] ?? '');
  reader.ondoctype = () => refuse('it has a DTD');
  reader.onopentag = ({ name, attributes: given }) => {
    elements += 1;
    if (root !== undefined) refuse('it has more than one root element');
    if (stack.length >= maxDepth) refuse(`its elements are nested more than ${maxDepth} levels deep`);
    if (elements > maxElements) refuse(`it has more than ${maxElements} elements`);
    const children = Object.keys(given).length > 0 ? collection(given as Record<string, string>) : undefined;
    stack.push({ name, text: '', children });
  };
  const onText = (part: string) => {
    const top = stack.at(-1);
    if (top) top.text += part;
  };
  reader.ontext = onText;
  reader.oncdata = onText;
  reader.onclosetag = () => {
    const { name, text: own, children } = stack.pop() ?? refuse('an element ends that did not begin');
    const value = children ?? (own.trim() === '' ? '' : own);
    if (children && own.trim() !== '') refuse(`the element ${name} has text besides its children`);
    const parent = stack.at(-1);
    if (!parent) root = value;
    else {
      parent.children ??= collection({});
      add(parent.children, name, value);
    }
  };
  reader.write(text).close();
  return root ?? refuse('it has no element');
}

/** Names come from the client: none of them may reach a prototype. */
function collection(given: Record<string, string>): Record<string, Received | Received[]> {
  return Object.assign(Object.create(null), given);
}

function add(children: Record<string, Received | Received[]>, name: string, value: Received): void {
  const before = children[name];
  if (before === undefined) children[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else children[name] = [before, value];
}

export function writeXml(name: string, value: Shown): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${element(name, value)}\n`;
}

function element(name: string, value: Shown): string {
  if (value === undefined) return '';
  if (typeof value !== 'object') return `<${name}>${escaped(String(value))}</${name}>`;
  if (isList(value)) return value.map((each) => element(name, each)).join('');
  let opening = `<${name}`;
  let content = '';
  for (const key in value) {
    const child = value[key];
    if (!attributes.has(key)) content += element(key, child);
    else if (typeof child === 'string') opening += ` ${key}="${escaped(child)}"`;
  }
  return content === '' ? `${opening}/>` : `${opening}>${content}</${name}>`;
}

/** The same content as JSON, in which oVirt writes all leaves as strings. */
export function writeJson(value: Shown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'number' || typeof each === 'boolean' ? String(each) : each,
  );
}

function isList(value: object): value is readonly Shown[] {
  return Array.isArray(value);
}

/** XML has no other control characters, not even escaped. */
const special = /[&<>"\ufffe\uffff]|[\p{Cc}--[\t\n\r]]|\p{Cs}/gv;
const plain = /^[\w ./:@-]*$/;
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(special, (character) => escapes[character] ?? '\ufffd');
}
