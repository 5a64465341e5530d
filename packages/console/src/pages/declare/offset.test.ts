import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { offsetOf } from './offset.ts';

const text = 'kind: Infrastructure\nspec:\n  nodeGroups:\n    - name: main\n      memory: 4Gi\n';
const lineAt = (...path: (string | number)[]) => {
  const offset = offsetOf(parseDocument(text), path);
  return offset === undefined ? undefined : text.slice(0, offset).split('\n').length;
};

test('a field has the place of its value, an absent one that of its parent', () => {
  expect(lineAt('spec', 'nodeGroups', 0, 'memory')).toBe(5);
  expect(lineAt('spec', 'nodeGroups', 0, 'cpu')).toBe(4);
  expect(lineAt('status')).toBeUndefined();
});
