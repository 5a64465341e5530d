import { stringify } from 'yaml';

const notice = '# Kept by Nova: changes made here are undone.';

/** A configuration file's text; lines that do not apply are left out. */
export function lines(...content: readonly (string | undefined | false)[]): string {
  return `${[notice, ...content.filter((line) => typeof line === 'string')].join('\n')}\n`;
}

const mostTexts = 100;
const texts = new Map<string, string>();

/** Settings as YAML. Nodes of a cluster have mostly the same, and YAML is slow to write: the last texts are kept. */
export function yaml(settings: object): string {
  const key = JSON.stringify(settings);
  const text = texts.get(key) ?? stringify(settings);
  // A Map keeps the order of insertion: the text used last becomes the newest.
  texts.delete(key);
  texts.set(key, text);
  const [oldest] = texts.keys();
  if (texts.size > mostTexts && oldest !== undefined) texts.delete(oldest);
  return text;
}
