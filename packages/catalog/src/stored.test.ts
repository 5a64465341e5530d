import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCatalog } from './catalog.ts';
import { diffCatalogs } from './diff.ts';
import { exec, file, piece, type Value } from './resource.ts';
import { Sensitive, sensitive } from './sensitive.ts';
import { restoreCatalog, type Sealer, storeCatalog } from './stored.ts';
import { anyCatalog, secretMark } from './testing.ts';

/** Hides secrets and binds them to their context. Like a real sealer it has private state. */
class HexSealer implements Sealer {
  readonly #encoding = 'hex';

  seal(plain: string, context: string): string {
    return Buffer.from(JSON.stringify([context, plain])).toString(this.#encoding);
  }

  open(sealed: string, context: string): string {
    const [whose, plain] = JSON.parse(Buffer.from(sealed, this.#encoding).toString()) as [string, string];
    if (whose !== context) throw new Error(`sealed for ${whose}`);
    return plain;
  }
}

const sealer = new HexSealer();

/** The whole catalog with its secrets, as comparable values. */
function revealed({ node, resources }: ReturnType<typeof restoreCatalog>): unknown {
  const reveal = (value: Value) => (value instanceof Sensitive ? { secret: value.reveal() } : value);
  return {
    node,
    resources: resources.map((resource) => ({
      ...resource,
      parameters: Object.entries(resource.parameters).map(([name, value]) => [name, reveal(value)]),
    })),
  };
}

const config = file('/etc/a', { content: sensitive('hunter2'), mode: '0600', replace: false });
const catalog = createCatalog('node-1', [
  ...piece(
    'a',
    config,
    exec('a', { command: ['/a', 'b'], tries: 3, unless: sensitive('/x') }, { subscribe: [config] }),
  ),
  file('/etc/b', { content: '{"sealed":"x"}' }),
]);

test('a stored catalog is restored with its order, pieces, relations and secrets', () => {
  const restored = restoreCatalog(storeCatalog(catalog, sealer), sealer);
  expect(revealed(restored)).toEqual(revealed(catalog));
  expect(diffCatalogs(catalog, restored)).toEqual([]);
  expect(restored.resources[0]?.parameters.content).toBeInstanceOf(Sensitive);
  expect(restored.resources[2]?.parameters.content).toBe('{"sealed":"x"}');
});

test('secrets are sealed for their node', () => {
  const stored = storeCatalog(catalog, sealer);
  expect(stored).not.toContain('hunter2');
  const moved = stored.replace('"node":"node-1"', '"node":"node-2"');
  expect(moved).not.toBe(stored);
  expect(() => restoreCatalog(moved, sealer)).toThrow('sealed for catalog/node-1');
});

test('any catalog is restored unchanged, and its stored form contains no secret', () => {
  fc.assert(
    fc.property(anyCatalog, (any) => {
      const stored = storeCatalog(any, sealer);
      expect(stored).not.toContain(secretMark);
      const restored = restoreCatalog(stored, sealer);
      expect(revealed(restored)).toEqual(revealed(any));
      expect(inspect(restored, { depth: null, showHidden: true })).not.toContain(secretMark);
    }),
  );
});
