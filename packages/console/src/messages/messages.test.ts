import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { languageCodes, languages } from '../language.tsx';
import type { Plural } from './types.ts';

const source = join(import.meta.dirname, '..');
const translations = languageCodes.filter((code) => code !== 'en');

/** Every message of a language, by `area.name`. */
function messagesOf(code: (typeof languageCodes)[number]): Map<string, string | Plural> {
  return new Map(
    Object.entries(languages[code].messages).flatMap(([area, messages]) =>
      Object.entries(messages).map(([name, text]): [string, string | Plural] => [`${area}.${name}`, text]),
    ),
  );
}

const formsOf = (message: string | Plural) => (typeof message === 'string' ? [message] : Object.values(message));
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted();
const english = messagesOf('en');

test.for(translations)('%s has every message of English and no other', (code) => {
  expect([...messagesOf(code).keys()].toSorted()).toEqual([...english.keys()].toSorted());
});

test.for(languageCodes)('%s has the placeholders of English in every form', (code) => {
  for (const [key, message] of messagesOf(code)) {
    const wanted = placeholders(formsOf(english.get(key) ?? '').join(' '));
    for (const form of formsOf(message)) expect(placeholders(form), `${key}: ${form}`).toEqual(wanted);
  }
});

test.for(languageCodes)('%s has a form for every count', (code) => {
  const rules = new Intl.PluralRules(languages[code].locale);
  const needed = [...new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)))].toSorted();
  for (const [key, message] of messagesOf(code))
    if (typeof message !== 'string') expect(Object.keys(message).toSorted(), key).toEqual(needed);
});

test.for(languageCodes)('no message of %s is empty or begins or ends with a space', (code) => {
  for (const [key, message] of messagesOf(code))
    for (const form of formsOf(message)) expect(form === '' || form.trim() !== form, key).toBe(false);
});

test('components use every message', () => {
  const code = components()
    .map(({ text }) => text)
    .join('\n');
  expect([...english.keys()].filter((key) => !code.includes(`'${key}'`) && !code.includes(`"${key}"`))).toEqual([]);
});

/** Attributes that users read or hear. */
const readAttributes =
  /^(alt|label|title|text|placeholder|description|action|refusal|nothing|note|toggleText|titleText|variantLabel|\w*[aA]ria-?[lL]abel|aria-description|\w*AriaValueText|valueText|hoverTip|clickTip|resetButtonLabel)$/;
/** Names of products, protocols and programs: the same in every language. */
const names =
  /^(Nova|Universe|Kubernetes|Flux|API|DNS|SNAT|CNI|kube-proxy|kubeconfig|zVirt|oVirt|VMware vSphere|\.nova\.local|cloud-config|cgroup|Ctrl\+Alt\+Del)$/;

test('components contain no literal texts', () => {
  const found = components().flatMap(({ file, text }) =>
    literalsOf(parseAst(text, { lang: 'tsx' }) as unknown as Node)
      .filter(isRead)
      .map((literal) => `${file}: ${literal}`),
  );
  expect(found).toEqual([]);
});

test('the check for literal texts finds them', () => {
  const code = `const a = <p title="Hello there">Some words{' more'}{isOn ? \`off \${x}\` : 'on'}<code>kubectl</code></p>;
    const b = { en: 'yes', ru: 'да' };
    const c = [['Fine', 'x'] as const];
    const d = <Facts facts={[['Size', 1]]} />;
    const e = { key: 'size', title: 'Size of it', text: 'common.name' };`;
  expect(literalsOf(parseAst(code, { lang: 'tsx' }) as unknown as Node).filter(isRead)).toEqual([
    'Hello there',
    'Some words',
    ' more',
    'off ',
    'on',
    'да',
    'Size',
    'Size of it',
  ]);
});

function components(): { file: string; text: string }[] {
  return globSync('**/*.{ts,tsx}', { cwd: source, exclude: ['messages/**', '**/*.test.*'] }).map((file) => ({
    file,
    text: readFileSync(join(source, file), 'utf8'),
  }));
}

function isRead(text: string): boolean {
  if (english.has(text)) return false;
  const words = text.split(/[\s:,·→−+()]+/).filter((word) => /\p{L}{2}/u.test(word));
  return words.some((word) => !names.test(word)) && !names.test(text.trim());
}

interface Node {
  type: string;
  value?: unknown;
  [key: string]: unknown;
}

/** Texts in JSX and in readable attributes, and all Cyrillic text. */
function literalsOf(node: Node, isShown = false): string[] {
  const own = (text: unknown) =>
    typeof text === 'string' && (isShown || /\p{Script=Cyrillic}/u.test(text)) ? [text] : [];
  switch (node.type) {
    case 'JSXText':
      return isShown ? own(node.value) : [];
    case 'Literal':
      return own(node.value);
    case 'TemplateElement':
      return own((node.value as { cooked: string }).cooked);
    case 'JSXAttribute': {
      const name = String((node.name as Node).name);
      return within(node.value, readAttributes.test(name) || name === 'facts');
    }
    case 'Property':
      return within(node.value, readAttributes.test(String((node.key as Node).name)));
    case 'JSXElement': {
      const isCode = ['code', 'pre'].includes(String(((node.openingElement as Node).name as Node).name));
      return [...within(node.openingElement, false), ...within(node.children, !isCode)];
    }
    case 'JSXFragment':
      return within(node.children, true);
    // Operands of comparisons, calls and lookups are not shown.
    case 'BinaryExpression':
      return within([node.left, node.right], isShown && node.operator === '+');
    case 'ConditionalExpression':
      return [...within(node.test, false), ...within([node.consequent, node.alternate], isShown)];
    case 'LogicalExpression':
      return [...within(node.left, isShown && node.operator !== '&&'), ...within(node.right, isShown)];
    case 'CallExpression':
    case 'MemberExpression':
    case 'ObjectExpression':
    case 'ArrowFunctionExpression':
      return children(node).flatMap((child) => literalsOf(child, false));
    default:
      return children(node).flatMap((child) => literalsOf(child, isShown));
  }
}

function within(value: unknown, isShown: boolean): string[] {
  return nodesIn(value).flatMap((child) => literalsOf(child, isShown));
}

function children(node: Node): Node[] {
  return Object.values(node).flatMap(nodesIn);
}

function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return typeof value === 'object' && value !== null && 'type' in value ? [value as Node] : [];
}
