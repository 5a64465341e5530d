const notice = '# Kept by Nova: changes made here are undone.';

/** A configuration file's text; lines that do not apply are left out. */
export function lines(...content: readonly (string | undefined | false)[]): string {
  return `${[notice, ...content.filter((line) => typeof line === 'string')].join('\n')}\n`;
}
