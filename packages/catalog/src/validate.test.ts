import { describe as describeProblem } from '@nova-platform/api';
import { problemsOf } from '@nova-platform/plan/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCatalog } from './catalog.ts';
import { exec, file, notify, type Relation, type Resource, reference, relations, service } from './resource.ts';
import { sensitive } from './sensitive.ts';
import { findProblems } from './validate.ts';

/** A resource that builders cannot create. */
function forced(resource: object): Resource {
  return { type: 'file', title: '/a', parameters: {}, relations: {}, ...resource } as Resource;
}

function codes(resources: readonly Resource[]): string[] {
  return findProblems(resources).map(({ code, path }) => `${code} ${path.join(' ')}`);
}

function remedies(resources: readonly Resource[]): string[] {
  return findProblems(resources).map((each) => describeProblem(each, 'en').remedy);
}

/** A resource `from` with a relation to `to`. */
function linked(from: string, relation: Relation, ...to: string[]): Resource {
  return { ...notify(from, {}), relations: { [relation]: to.map((title) => `Notify[${title}]`) } };
}

/** The reported cycle. */
function cycleOf(resources: readonly Resource[]): string[] {
  const found = findProblems(resources);
  expect(found.map(({ code }) => code)).toEqual(['NOVA8005']);
  const { cycle } = found[0]?.params ?? {};
  return typeof cycle === 'string' ? cycle.split(' → ') : [];
}

describe('a single resource', () => {
  test('a catalog of valid resources has no problems and keeps their order', () => {
    const config = file('/etc/a', { content: sensitive('x'), mode: '0600' });
    const resources = [service('a', { enable: true, ensure: 'running' }, { subscribe: [config] }), config];
    expect(createCatalog('node-1', resources)).toEqual({ node: 'node-1', resources });
  });

  test('a duplicate resource is rejected, even if its parameters differ', () => {
    expect(codes([file('/a', { content: 'x' }), file('/a', { content: 'y' }), exec('/a', { command: '/x' })])).toEqual([
      'NOVA8001 File[/a]',
    ]);
  });

  test('a type that stock agents lack is rejected, and the known types are listed', () => {
    const cron = forced({ type: 'cron', title: 'daily' });
    expect(codes([cron])).toEqual(['NOVA8002 Cron[daily]']);
    expect(remedies([cron])).toEqual(['Types: file, exec, service, package, user, group, notify, tidy.']);
  });

  test.for(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('the type %s is rejected', (type) => {
    expect(findProblems([forced({ type, title: 'a' })])).toMatchObject([{ code: 'NOVA8002', params: { type } }]);
  });

  test('an unknown parameter is rejected, and the nearest known one is suggested', () => {
    const misspelt = forced({ parameters: { contents: 'x', zzzzzzzz: 'x' } });
    expect(codes([misspelt])).toEqual(['NOVA8003 File[/a] contents', 'NOVA8003 File[/a] zzzzzzzz']);
    const [near, far] = remedies([misspelt]);
    expect(near).toMatch(/^Did you mean content\? Parameters: ensure, content, /);
    expect(far).toMatch(/^Parameters: ensure, content, /);
  });

  test.for<[string, object, string]>([
    ['null', { parameters: { owner: null } }, 'owner'],
    ['a mode that is a number', { parameters: { mode: 0o644 } }, 'mode'],
    ['a mode of three digits', { parameters: { mode: '644' } }, 'mode'],
    ['a mode of letters', { parameters: { mode: 'u=rw' } }, 'mode'],
    ['an unknown value', { parameters: { ensure: 'running' } }, 'ensure'],
    ['a relative path', { parameters: { target: 'x' } }, 'target'],
    ['text instead of a boolean', { parameters: { recurse: 'yes' } }, 'recurse'],
    ['an object', { parameters: { content: {} } }, 'content'],
    ['a secret instead of a boolean', { parameters: { recurse: sensitive('yes') } }, 'recurse'],
    ['an exec without a command', { type: 'exec' }, 'command'],
    ['a null word of a command', { type: 'exec', parameters: { command: ['/a', null] } }, 'command'],
    ['a negative number of seconds', { type: 'exec', parameters: { command: '/x', timeout: -1 } }, 'timeout'],
    ['a service with ensure present', { type: 'service', parameters: { ensure: 'present' } }, 'ensure'],
  ])('%s is rejected', ([, resource, parameter]) => {
    const found = findProblems([forced(resource)]);
    expect(found.map(({ code }) => code)).toEqual(['NOVA8004']);
    expect(found[0]?.path.slice(0, 2)).toEqual([reference(forced(resource)), parameter]);
    expect(found[0]?.params).toMatchObject({ parameter });
  });

  test.for(['/', '/a', '/a/b c', '/.a/..b', '/a:b'])('a file can have the title %j', (title) => {
    expect(findProblems([file(title, {})])).toEqual([]);
  });

  test.for(['', 'a', 'a/b', './a', '~/a', ' /a', '//', '//a', '/a/', '/a//b', '/a/b//'])(
    'a file cannot have the title %j: an agent would reject or rename it',
    (title) => {
      expect(findProblems([file(title, {})])).toMatchObject([
        { code: 'NOVA8004', path: [`File[${title}]`, 'title'], params: { parameter: 'title' } },
      ]);
      // Titles of other types are just names.
      expect(findProblems([notify(title, {}), exec(title, { command: '/a' })])).toEqual([]);
    },
  );

  test('a file cannot have both content and a target', () => {
    expect(findProblems([file('/a', { ensure: 'link', target: '/b' }), file('/b', { content: '' })])).toEqual([]);
    for (const content of ['', 'x', sensitive('x')])
      expect(codes([file('/a', { content, target: '/b' })])).toEqual(['NOVA8004 File[/a] target']);
  });

  test.for(['command', 'unless', 'onlyif'])('%s needs an absolute path or a search path', (parameter) => {
    const found = (value: string | string[], path?: string[]) =>
      codes([exec('a', { command: '/a', [parameter]: value, ...(path && { path }) })]);
    for (const value of ['b', 'b /c', './b', ' /b', ['b', '/c'], ['b']])
      expect([value, found(value)]).toEqual([value, [`NOVA8004 Exec[a] ${parameter}`]]);
    for (const value of ['/b', '/b c', ['/b', '/c']]) expect([value, found(value)]).toEqual([value, []]);
    for (const value of ['b', ['b', 'c']]) expect([value, found(value, ['/usr/bin'])]).toEqual([value, []]);
  });

  test('every program without an absolute path is reported', () => {
    expect(codes([exec('a', { command: 'a', unless: 'b', onlyif: 'c', creates: '/d' })])).toEqual([
      'NOVA8004 Exec[a] command',
      'NOVA8004 Exec[a] unless',
      'NOVA8004 Exec[a] onlyif',
    ]);
  });

  test('an invalid secret is not revealed', () => {
    const found = findProblems([forced({ parameters: { mode: sensitive('hunter2'), ensure: sensitive('hunter2') } })]);
    expect(found).toHaveLength(2);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });
});

describe('relations between resources', () => {
  test.for(relations)('%s of a missing resource is rejected', (relation) => {
    const lonely = linked('a', relation, 'b', 'missing', 'gone');
    expect(codes([lonely, notify('b', {})])).toEqual([
      `NOVA8006 Notify[a] ${relation}`,
      `NOVA8006 Notify[a] ${relation}`,
    ]);
    expect(findProblems([lonely, notify('b', {})]).map(({ params }) => params)).toEqual([
      { resource: 'Notify[a]', relation, other: 'Notify[missing]' },
      { resource: 'Notify[a]', relation, other: 'Notify[gone]' },
    ]);
  });

  test.for(relations)('a resource that names itself in %s is a cycle', (relation) => {
    expect(cycleOf([linked('a', relation, 'a')])).toEqual(['Notify[a]', 'Notify[a]']);
  });

  test('two resources that wait for each other are a cycle', () => {
    expect(cycleOf([linked('a', 'require', 'b'), linked('b', 'require', 'a')])).toHaveLength(3);
    // One relation declared on both sides is not a cycle.
    expect(findProblems([linked('a', 'before', 'b'), linked('b', 'require', 'a')])).toEqual([]);
    expect(findProblems([linked('a', 'notify', 'b'), linked('b', 'subscribe', 'a')])).toEqual([]);
  });

  test('a cycle can span all four relations, and resources that only lead to it are not reported', () => {
    const resources = [
      linked('entry', 'before', 'a'),
      linked('a', 'before', 'b'),
      linked('b', 'notify', 'c'),
      { ...notify('c', {}), relations: { before: ['Notify[exit]'] } },
      linked('d', 'require', 'c'),
      linked('e', 'subscribe', 'd'),
      notify('exit', {}),
    ];
    expect(findProblems(resources)).toEqual([]);
    const closed = resources.map((each) =>
      each.title === 'a' ? { ...each, relations: { ...each.relations, require: ['Notify[e]'] } } : each,
    );
    expect(cycleOf(closed)).toEqual(['a', 'b', 'c', 'd', 'e', 'a'].map((title) => `Notify[${title}]`));
    expect(findProblems(closed)[0]?.path).toEqual(['Notify[a]']);
  });

  /** A folder that requires a command that requires the file. */
  function folderAfter(inner: Resource, folder = '/a'): Resource[] {
    const command = exec('x', { command: '/x' }, { require: [inner] });
    return [inner, command, file(folder, { ensure: 'directory' }, { require: [command] })];
  }

  test('a folder precedes its contents, however deep and wherever listed', () => {
    const ring = ['File[/a]', 'File[/a/b]', 'Exec[x]', 'File[/a]'];
    for (const inner of ['/a/b', '/a/b/c/d']) {
      const named = ring.map((name) => name.replace('/a/b', inner));
      for (const resources of [folderAfter(file(inner, {})), folderAfter(file(inner, {})).reverse()])
        expect(cycleOf(resources).slice(1).sort()).toEqual(named.slice(1).sort());
    }
    expect(cycleOf([...folderAfter(file('/a/b/c', {})), file('/a/b', { ensure: 'directory' })])).toHaveLength(5);
    const [folder, inner] = [file('/a', { ensure: 'directory' }), file('/a/b', {})];
    expect(findProblems([inner, folder])).toEqual([]);
    expect(findProblems([inner, { ...folder, relations: { before: ['File[/a/b]'] } }])).toEqual([]);
    expect(findProblems([{ ...inner, relations: { require: ['File[/a]'] } }, folder])).toEqual([]);
  });

  test('a folder does not precede paths that only look similar', () => {
    expect(findProblems(folderAfter(file('/ab', {})))).toEqual([]);
    expect(findProblems(folderAfter(file('/b/a', {})))).toEqual([]);
    expect(findProblems(folderAfter(file('/a', {}), '/a/b'))).toEqual([]);
    expect(findProblems(folderAfter(exec('/a/b', { command: '/b' })))).toEqual([]);
    expect(findProblems(folderAfter(notify('/a/b', {})))).toEqual([]);
  });

  test.for(['before', 'notify'] as const)('a file with %s on its folder precedes it', (relation) => {
    const folder = file('/a', { ensure: 'directory' });
    expect(findProblems([folder, file('/a/b', {}, { [relation]: [folder] })])).toEqual([]);
  });

  test.for(['require', 'subscribe'] as const)('a folder with %s on its contents follows them', (relation) => {
    const inner = file('/a/b', {});
    expect(findProblems([inner, file('/a', { ensure: 'directory' }, { [relation]: [inner] })])).toEqual([]);
  });

  test('a chain of twenty thousand resources is checked, and closing it gives one cycle', () => {
    const length = 20_000;
    const chain = Array.from({ length }, (_, index) =>
      index === 0 ? notify('0', {}) : linked(String(index), 'require', String(index - 1)),
    );
    expect(findProblems(chain)).toEqual([]);
    expect(cycleOf([linked('0', 'require', String(length - 1)), ...chain.slice(1)])).toHaveLength(length + 1);
  });
});

test('all problems are reported at once, with their paths', () => {
  const resources = [
    forced({ parameters: { mode: 420, ownr: 'root' } }),
    forced({ relations: { require: ['File[/missing]'] } }),
    forced({ type: 'cron', title: 'daily' }),
    linked('x', 'before', 'y'),
    linked('y', 'notify', 'x'),
  ];
  const found = problemsOf(() => createCatalog('node-1', resources));
  expect(found.map(({ code, path }) => [code, ...path])).toEqual([
    ['NOVA8004', 'File[/a]', 'mode'],
    ['NOVA8003', 'File[/a]', 'ownr'],
    ['NOVA8001', 'File[/a]'],
    ['NOVA8002', 'Cron[daily]'],
    ['NOVA8006', 'File[/a]', 'require'],
    ['NOVA8005', 'Notify[x]'],
  ]);
  for (const each of found) {
    for (const language of ['en', 'ru'] as const) {
      const { message, remedy } = describeProblem(each, language);
      expect(`${message} ${remedy}`).not.toMatch(/[{}]|undefined/);
    }
  }
});

interface Edge {
  /** Precedes `to`. */
  from: number;
  to: number;
  relation: Relation;
}

/** Resources in the given order, with relations for the edges. */
function graph(order: readonly number[], edges: readonly Edge[]): Resource[] {
  const related = new Map(order.map((number) => [number, {} as Partial<Record<Relation, string[]>>]));
  for (const { from, to, relation } of edges) {
    const isForward = relation === 'before' || relation === 'notify';
    const own = related.get(isForward ? from : to) ?? {};
    own[relation] = [...(own[relation] ?? []), `Notify[${isForward ? to : from}]`];
  }
  return order.map((number) => ({ ...notify(String(number), {}), relations: related.get(number) ?? {} }));
}

/** Edges only from lower to higher numbers, in any order. */
const acyclic = fc.integer({ min: 2, max: 15 }).chain((size) =>
  fc.record({
    order: fc.shuffledSubarray([...Array(size).keys()], { minLength: size }),
    edges: fc.array(
      fc
        .record({
          from: fc.nat({ max: size - 2 }),
          step: fc.integer({ min: 1, max: size - 1 }),
          relation: fc.constantFrom(...relations),
        })
        .map(({ from, step, relation }): Edge => ({ from, to: Math.min(from + step, size - 1), relation })),
      { minLength: 1, maxLength: 40 },
    ),
  }),
);

function reachable(edges: readonly Edge[], start: number): number[] {
  const found = new Set([start]);
  for (const each of found) for (const { from, to } of edges) if (from === each) found.add(to);
  return [...found];
}

test('an acyclic graph has no problems', () => {
  fc.assert(
    fc.property(acyclic, ({ order, edges }) => {
      expect(findProblems(graph(order, edges))).toEqual([]);
    }),
  );
});

test('one edge back gives one problem, whose cycle is in the graph', () => {
  const seen = new Set<number>();
  fc.assert(
    fc.property(acyclic, fc.nat(), fc.nat(), fc.constantFrom(...relations), ({ order, edges }, at, pick, relation) => {
      const start = edges[at % edges.length]?.from ?? 0;
      const ends = reachable(edges, start);
      const back: Edge = { from: ends[pick % ends.length] ?? start, to: start, relation };
      const all = [...edges, back];
      const cycle = cycleOf(graph(order, all)).map((name) => Number(/\d+/.exec(name)?.[0]));
      expect(cycle[0]).toBe(cycle.at(-1));
      expect(cycle.length).toBeGreaterThan(1);
      expect(new Set(cycle).size).toBe(cycle.length - 1);
      for (const [index, from] of cycle.slice(0, -1).entries()) {
        const to = cycle[index + 1];
        expect(all.some((edge) => edge.from === from && edge.to === to)).toBe(true);
      }
      seen.add(cycle.length);
    }),
  );
  // Cycles of different lengths were generated.
  expect(seen.size).toBeGreaterThan(2);
});
