import { stringify } from 'yaml';

const notice = '# Managed by Nova: local changes are overwritten.';

/** The text of a configuration file. Lines that do not apply are omitted. */
export function lines(...content: readonly (string | undefined | false)[]): string {
  return `${[notice, ...content.filter((line) => typeof line === 'string')].join('\n')}\n`;
}

const mostTexts = 100;
const texts = new Map<string, string>();

/**
 * Settings as YAML. Nodes of a cluster mostly have the same settings and YAML is slow to write, so recent texts are
 * cached.
 */
export function yaml(settings: object): string {
  const key = JSON.stringify(settings);
  const text = texts.get(key) ?? stringify(settings);
  // A Map keeps insertion order: reinserting makes this text the newest.
  texts.delete(key);
  texts.set(key, text);
  const [oldest] = texts.keys();
  if (texts.size > mostTexts && oldest !== undefined) texts.delete(oldest);
  return text;
}
