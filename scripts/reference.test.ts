import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const codesIn = (text: string) => new Set(text.match(/NOVA\d{4}/g));

/** Codes in the sources, except for the table itself and tests. */
function usedCodes(): Set<string> {
  const files = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !file.endsWith('.test.ts') &&
      !file.includes('node_modules') &&
      !file.includes('api/src/errors/'),
  );
  // A code that only the help mentions does not count as used.
  const thrown = files.map(
    (file) =>
      readFileSync(join(root, 'packages', file), 'utf8')
        .match(/'NOVA\d{4}'/g)
        ?.join(' ') ?? '',
  );
  return codesIn(thrown.join(' '));
}

test.for(['en', 'ru'])('the reference lists exactly the used codes: %s', (language) => {
  const documented = codesIn(readFileSync(join(root, 'docs/reference', language, 'errors.md'), 'utf8'));
  expect([...documented].sort()).toEqual([...usedCodes()].sort());
});
