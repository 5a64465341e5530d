import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCatalog } from './catalog.ts';
import { type CatalogChange, diffCatalogs } from './diff.ts';
import { exec, file, notify, piece, type Resource, reference, relations, service } from './resource.ts';
import { sensitive } from './sensitive.ts';
import { anyCatalog, secretMark } from './testing.ts';

function changes(before: readonly Resource[], after: readonly Resource[]): CatalogChange[] {
  return diffCatalogs(createCatalog('node-1', before), createCatalog('node-1', after));
}

test('a new resource is added, with its piece', () => {
  const old = file('/a', { content: 'x' });
  expect(changes([old], [...piece('motd', file('/b', {})), old, exec('c', { command: '/c' })])).toEqual([
    { resource: 'File[/b]', piece: 'motd', kind: 'added' },
    { resource: 'Exec[c]', kind: 'added' },
  ]);
});

test('a resource that is no longer in the catalog is no longer managed, and refreshes no other resource', () => {
  const config = file('/a', {});
  expect(
    changes([...piece('a', config), service('a', {}, { subscribe: [config] })], [service('a', {}, {})]),
  ).toMatchObject([
    { resource: 'Service[a]', kind: 'changed' },
    { resource: 'File[/a]', piece: 'a', kind: 'no longer managed' },
  ]);
});

test('a change lists every changed parameter with its old and new value, if set', () => {
  const before = file('/a', { content: 'x', mode: '0644', owner: 'root' });
  const after = file('/a', { content: 'y', mode: '0644', replace: false });
  expect(changes([before], [after])).toStrictEqual([
    {
      resource: 'File[/a]',
      kind: 'changed',
      parameters: [
        { parameter: 'content', from: 'x', to: 'y' },
        { parameter: 'owner', from: 'root' },
        { parameter: 'replace', to: 'false' },
      ],
    },
  ]);
});

test('the order of parameters and of resources does not matter; the order within a list does', () => {
  const first = exec('a', { command: ['/a', 'b', 'c'], cwd: '/' });
  const other = file('/a', {});
  expect(changes([first, other], [other, exec('a', { cwd: '/', command: ['/a', 'b', 'c'] })])).toEqual([]);
  expect(changes([first], [exec('a', { command: ['/a', 'c', 'b'], cwd: '/' })])).toEqual([
    {
      resource: 'Exec[a]',
      kind: 'changed',
      parameters: [{ parameter: 'command', from: '["/a","b","c"]', to: '["/a","c","b"]' }],
    },
  ]);
});

test('changed relations are reported like parameters', () => {
  const [a, b] = [file('/a', {}), file('/b', {})];
  expect(changes([a, b, notify('n', {}, { require: [a] })], [a, b, notify('n', {}, { require: [a, b] })])).toEqual([
    {
      resource: 'Notify[n]',
      kind: 'changed',
      parameters: [{ parameter: 'require', from: '["File[/a]"]', to: '["File[/a]","File[/b]"]' }],
    },
  ]);
  expect(changes([a, b, notify('n', {})], [a, b, notify('n', {}, { before: [a] })])).toMatchObject([
    { parameters: [{ parameter: 'before', to: '["File[/a]"]' }] },
  ]);
});

test('a changed secret is reported without its value', () => {
  const secret = (value: string) => [file('/a', { content: sensitive(value) })];
  expect(changes(secret('hunter2'), secret('hunter2'))).toEqual([]);
  expect(changes(secret('hunter2'), secret('hunter3'))).toEqual([
    {
      resource: 'File[/a]',
      kind: 'changed',
      parameters: [{ parameter: 'content', from: '[sensitive]', to: '[sensitive]' }],
    },
  ]);
});

/**
 * A file, a command that subscribes to it, a service that subscribes to the command, and services that must not change.
 */
function chain(content: string): Resource[] {
  const config = file('/etc/a', { content });
  const reload = exec('reload', { command: '/reload', refreshonly: true }, { subscribe: [config] });
  const quiet = service('quiet', {}, { require: [config] });
  return [
    config,
    ...piece('a', reload),
    service('a', {}, { subscribe: [reload] }),
    quiet,
    service('behind-quiet', {}, { subscribe: [quiet] }),
  ];
}

test('a changed file refreshes its subscribers and their subscribers; an order alone refreshes nothing', () => {
  expect(changes(chain('x'), chain('y'))).toEqual([
    { resource: 'File[/etc/a]', kind: 'changed', parameters: [{ parameter: 'content', from: 'x', to: 'y' }] },
    { resource: 'Exec[reload]', piece: 'a', kind: 'refreshed', by: ['File[/etc/a]'] },
    { resource: 'Service[a]', kind: 'refreshed', by: ['Exec[reload]'] },
  ]);
});

test('notify refreshes like subscribe, and every cause is reported', () => {
  const listener = service('a', {});
  const files = (content: string) => [
    listener,
    file('/a', { content }, { notify: [listener] }),
    file('/b', { content }, { notify: [listener] }),
    file('/c', { content: 'same' }, { notify: [listener] }),
  ];
  expect(changes(files('x'), files('y')).filter(({ kind }) => kind === 'refreshed')).toEqual([
    { resource: 'Service[a]', kind: 'refreshed', by: ['File[/a]', 'File[/b]'] },
  ]);
});

test('a cause is reported once, however often it is declared', () => {
  const resources = (content: string) => {
    const listener = service('a', {});
    const config = file('/a', { content }, { notify: [listener] });
    const reload = exec('reload', { command: '/reload' }, { subscribe: [config], notify: [listener] });
    return [{ ...listener, relations: { subscribe: [config, reload, config].map(reference) } }, config, reload];
  };
  expect(changes(resources('x'), resources('y')).filter(({ kind }) => kind === 'refreshed')).toEqual([
    { resource: 'Service[a]', kind: 'refreshed', by: ['File[/a]', 'Exec[reload]'] },
    { resource: 'Exec[reload]', kind: 'refreshed', by: ['File[/a]'] },
  ]);
});

test.for(relations)('a change of %s alone is reported and refreshes nothing', (relation) => {
  const other = notify('other', {});
  const resources = (related: Parameters<typeof file>[2], content = 'x') => {
    const config = file('/a', { content }, related);
    const first = exec('first', { command: '/first' }, related);
    return [other, config, first, service('a', {}, { subscribe: [config] }), service('b', {}, { subscribe: [first] })];
  };
  const kinds = (list: CatalogChange[]) => list.map(({ resource, kind }) => `${kind} ${resource}`);
  const ordered = { [relation]: [other] };
  const alone = ['changed File[/a]', 'changed Exec[first]'];
  expect(kinds(changes(resources({}), resources(ordered)))).toEqual(alone);
  expect(kinds(changes(resources(ordered), resources({})))).toEqual(alone);
  expect(kinds(changes(resources({}), resources(ordered, 'y')))).toEqual([...alone, 'refreshed Service[a]']);
});

test('a new subscriber of a changed resource is refreshed, and refreshes its own subscribers', () => {
  const resources = (content: string, isListening: boolean) => {
    const config = file('/a', { content });
    const first = service('first', {}, isListening ? { subscribe: [config] } : {});
    return [config, first, service('second', {}, { subscribe: [first] })];
  };
  expect(changes(resources('x', false), resources('y', true))).toMatchObject([
    { resource: 'File[/a]', kind: 'changed' },
    { resource: 'Service[first]', kind: 'changed', parameters: [{ parameter: 'subscribe' }] },
    { resource: 'Service[first]', kind: 'refreshed', by: ['File[/a]'] },
    { resource: 'Service[second]', kind: 'refreshed', by: ['Service[first]'] },
  ]);
  expect(changes(resources('x', false), resources('x', true))).toHaveLength(1);
});

test('files cannot be refreshed and pass no refresh on', () => {
  const resources = (content: string) => {
    const source = file('/a', { content });
    const copy = file('/b', {}, { subscribe: [source] });
    return [source, copy, service('b', {}, { subscribe: [copy] })];
  };
  expect(changes(resources('x'), resources('y'))).toMatchObject([{ resource: 'File[/a]', kind: 'changed' }]);
  expect(changes(resources('x'), resources('y'))).toHaveLength(1);
});

test('a new or changed resource is not also reported as refreshed', () => {
  const config = (content: string) => file('/a', { content });
  const listener = (enable: boolean) => service('a', { enable }, { subscribe: [config('')] });
  const kinds = (list: CatalogChange[]) => list.map(({ resource, kind }) => `${resource} ${kind}`);
  expect(kinds(changes([config('x')], [config('y'), listener(true)]))).toEqual([
    'File[/a] changed',
    'Service[a] added',
  ]);
  expect(kinds(changes([config('x'), listener(true)], [config('y'), listener(false)]))).toEqual([
    'File[/a] changed',
    'Service[a] changed',
  ]);
});

test('a catalog does not differ from itself', () => {
  fc.assert(
    fc.property(anyCatalog, (any) => {
      expect(diffCatalogs(any, structuredCopy(any))).toEqual([]);
    }),
  );
});

/** An equal catalog that shares no objects with the original. */
function structuredCopy({ node, resources }: ReturnType<typeof createCatalog>) {
  return {
    node,
    resources: resources.map((each) => ({
      ...each,
      parameters: { ...each.parameters },
      relations: structuredClone(each.relations),
    })),
  };
}

test('everything is added to a node without a catalog, and nothing is managed once the catalog is removed', () => {
  fc.assert(
    fc.property(anyCatalog, (any) => {
      const names = any.resources.map(reference);
      expect(diffCatalogs(undefined, any)).toEqual(names.map((resource) => ({ resource, kind: 'added' })));
      expect(diffCatalogs(any, undefined)).toEqual(names.map((resource) => ({ resource, kind: 'no longer managed' })));
    }),
  );
  expect(diffCatalogs(undefined, undefined)).toEqual([]);
});

/** Whether the resource itself changed, not only its order. */
function isAnother(change: CatalogChange): boolean {
  return (
    change.kind !== 'changed' ||
    change.parameters.some(({ parameter }) => !relations.some((each) => each === parameter))
  );
}

test('no diff reveals a secret, and each resource and each cause is reported once', () => {
  fc.assert(
    fc.property(anyCatalog, anyCatalog, (before, after) => {
      const difference = diffCatalogs(before, after);
      expect(JSON.stringify(difference)).not.toContain(secretMark);
      // A resource whose order changed may be refreshed as well.
      const told = difference.filter(isAnother);
      const names = told.map(({ resource }) => resource);
      expect(new Set(names).size).toBe(names.length);
      for (const change of told) {
        if (change.kind !== 'refreshed') continue;
        expect(new Set(change.by).size).toBe(change.by.length);
        // Each cause is itself changed or refreshed.
        expect(names).toEqual(expect.arrayContaining(change.by));
      }
    }),
  );
});
