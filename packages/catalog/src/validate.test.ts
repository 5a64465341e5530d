import { describe as describeProblem } from '@nova-platform/api';
import { problemsOf } from '@nova-platform/plan/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCatalog } from './catalog.ts';
import { exec, file, notify, type Relation, type Resource, reference, relations, service } from './resource.ts';
import { sensitive } from './sensitive.ts';
import { findProblems } from './validate.ts';

/** A resource that no builder would make. */
function forced(resource: object): Resource {
  return { type: 'file', title: '/a', parameters: {}, relations: {}, ...resource } as Resource;
}

function codes(resources: readonly Resource[]): string[] {
  return findProblems(resources).map(({ code, path }) => `${code} ${path.join(' ')}`);
}

function remedies(resources: readonly Resource[]): string[] {
  return findProblems(resources).map((each) => describeProblem(each, 'en').remedy);
}

/** A chain link: resource `from` with its relation to `to`. */
function linked(from: string, relation: Relation, ...to: string[]): Resource {
  return { ...notify(from, {}), relations: { [relation]: to.map((title) => `Notify[${title}]`) } };
}

/** The cycle that was found, as it is printed. */
function cycleOf(resources: readonly Resource[]): string[] {
  const found = findProblems(resources);
  expect(found.map(({ code }) => code)).toEqual(['NOVA8005']);
  const { cycle } = found[0]?.params ?? {};
  return typeof cycle === 'string' ? cycle.split(' → ') : [];
}

describe('what one resource is', () => {
  test('a catalog of good resources has no problems and keeps their order', () => {
    const config = file('/etc/a', { content: sensitive('x'), mode: '0600' });
    const resources = [service('a', { enable: true, ensure: 'running' }, { subscribe: [config] }), config];
    expect(createCatalog('node-1', resources)).toEqual({ node: 'node-1', resources });
  });

  test('no resource is there twice, whatever it says', () => {
    expect(codes([file('/a', { content: 'x' }), file('/a', { content: 'y' }), exec('/a', { command: '/x' })])).toEqual([
      'NOVA8001 File[/a]',
    ]);
  });

  test('a type that stock agents lack is refused, and those they have are told', () => {
    const cron = forced({ type: 'cron', title: 'daily' });
    expect(codes([cron])).toEqual(['NOVA8002 Cron[daily]']);
    expect(remedies([cron])).toEqual(['Types: file, exec, service, package, user, group, notify, tidy.']);
  });

  test.for(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('%s is no type either', (type) => {
    expect(findProblems([forced({ type, title: 'a' })])).toMatchObject([{ code: 'NOVA8002', params: { type } }]);
  });

  test('a parameter that the type lacks is refused, and the one that was meant is told', () => {
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
    ['a value that the parameter does not know', { parameters: { ensure: 'running' } }, 'ensure'],
    ['a path that is not absolute', { parameters: { target: 'x' } }, 'target'],
    ['text where yes or no belongs', { parameters: { recurse: 'yes' } }, 'recurse'],
    ['an object', { parameters: { content: {} } }, 'content'],
    ['a secret where yes or no belongs', { parameters: { recurse: sensitive('yes') } }, 'recurse'],
    ['a command without a command', { type: 'exec' }, 'command'],
    ['a part of a command', { type: 'exec', parameters: { command: ['/a', null] } }, 'command'],
    ['a negative number of seconds', { type: 'exec', parameters: { command: '/x', timeout: -1 } }, 'timeout'],
    ['a service that is present', { type: 'service', parameters: { ensure: 'present' } }, 'ensure'],
  ])('refused: %s', ([, resource, parameter]) => {
    const found = findProblems([forced(resource)]);
    expect(found.map(({ code }) => code)).toEqual(['NOVA8004']);
    expect(found[0]?.path.slice(0, 2)).toEqual([reference(forced(resource)), parameter]);
    expect(found[0]?.params).toMatchObject({ parameter });
  });

  test.for(['/', '/a', '/a/b c', '/.a/..b', '/a:b'])('a file may be %j', (title) => {
    expect(findProblems([file(title, {})])).toEqual([]);
  });

  test.for(['', 'a', 'a/b', './a', '~/a', ' /a', '//', '//a', '/a/', '/a//b', '/a/b//'])(
    'no file is %j: an agent would refuse it, or know it by another name',
    (title) => {
      expect(findProblems([file(title, {})])).toMatchObject([
        { code: 'NOVA8004', path: [`File[${title}]`, 'title'], params: { parameter: 'title' } },
      ]);
      // Titles of others are names.
      expect(findProblems([notify(title, {}), exec(title, { command: '/a' })])).toEqual([]);
    },
  );

  test('a file has content or is a link', () => {
    expect(findProblems([file('/a', { ensure: 'link', target: '/b' }), file('/b', { content: '' })])).toEqual([]);
    for (const content of ['', 'x', sensitive('x')])
      expect(codes([file('/a', { content, target: '/b' })])).toEqual(['NOVA8004 File[/a] target']);
  });

  test.for(['command', 'unless', 'onlyif'])('a program of %s is named by its path, or searched for', (parameter) => {
    const found = (value: string | string[], path?: string[]) =>
      codes([exec('a', { command: '/a', [parameter]: value, ...(path && { path }) })]);
    for (const value of ['b', 'b /c', './b', ' /b', ['b', '/c'], ['b']])
      expect([value, found(value)]).toEqual([value, [`NOVA8004 Exec[a] ${parameter}`]]);
    for (const value of ['/b', '/b c', ['/b', '/c']]) expect([value, found(value)]).toEqual([value, []]);
    for (const value of ['b', ['b', 'c']]) expect([value, found(value, ['/usr/bin'])]).toEqual([value, []]);
  });

  test('every program that cannot be found is told', () => {
    expect(codes([exec('a', { command: 'a', unless: 'b', onlyif: 'c', creates: '/d' })])).toEqual([
      'NOVA8004 Exec[a] command',
      'NOVA8004 Exec[a] unless',
      'NOVA8004 Exec[a] onlyif',
    ]);
  });

  test('a secret is not told when it is wrong', () => {
    const found = findProblems([forced({ parameters: { mode: sensitive('hunter2'), ensure: sensitive('hunter2') } })]);
    expect(found).toHaveLength(2);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });
});

describe('how resources are related', () => {
  test.for(relations)('%s of a resource that is not there is refused', (relation) => {
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

  test.for(relations)('a resource that names itself in %s waits for ever', (relation) => {
    expect(cycleOf([linked('a', relation, 'a')])).toEqual(['Notify[a]', 'Notify[a]']);
  });

  test('two that wait for each other are a cycle', () => {
    expect(cycleOf([linked('a', 'require', 'b'), linked('b', 'require', 'a')])).toHaveLength(3);
    // One relation said from both sides is none.
    expect(findProblems([linked('a', 'before', 'b'), linked('b', 'require', 'a')])).toEqual([]);
    expect(findProblems([linked('a', 'notify', 'b'), linked('b', 'subscribe', 'a')])).toEqual([]);
  });

  test('all four relations count for a cycle, and what only leads to it is not told', () => {
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

  /** A folder that waits for a command that waits for the file. */
  function folderAfter(inner: Resource, folder = '/a'): Resource[] {
    const command = exec('x', { command: '/x' }, { require: [inner] });
    return [inner, command, file(folder, { ensure: 'directory' }, { require: [command] })];
  }

  test('a folder comes before what is in it, however deep and wherever listed', () => {
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

  test('what only looks as if it were in the folder may come first', () => {
    expect(findProblems(folderAfter(file('/ab', {})))).toEqual([]);
    expect(findProblems(folderAfter(file('/b/a', {})))).toEqual([]);
    expect(findProblems(folderAfter(file('/a', {}), '/a/b'))).toEqual([]);
    expect(findProblems(folderAfter(exec('/a/b', { command: '/b' })))).toEqual([]);
    expect(findProblems(folderAfter(notify('/a/b', {})))).toEqual([]);
  });

  test.for(['before', 'notify'] as const)('a file that says %s its folder is put first', (relation) => {
    const folder = file('/a', { ensure: 'directory' });
    expect(findProblems([folder, file('/a/b', {}, { [relation]: [folder] })])).toEqual([]);
  });

  test.for(['require', 'subscribe'] as const)('a folder that says %s of what is in it comes after it', (relation) => {
    const inner = file('/a/b', {});
    expect(findProblems([inner, file('/a', { ensure: 'directory' }, { [relation]: [inner] })])).toEqual([]);
  });

  test('twenty thousand resources in a row are no burden, and closed to a ring they are one cycle', () => {
    const length = 20_000;
    const chain = Array.from({ length }, (_, index) =>
      index === 0 ? notify('0', {}) : linked(String(index), 'require', String(index - 1)),
    );
    expect(findProblems(chain)).toEqual([]);
    expect(cycleOf([linked('0', 'require', String(length - 1)), ...chain.slice(1)])).toHaveLength(length + 1);
  });
});

test('everything that is wrong is told at once, with its place', () => {
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
  /** Comes first. */
  from: number;
  to: number;
  relation: Relation;
}

/** Resources in the order given, with the relations that say the edges. */
function graph(order: readonly number[], edges: readonly Edge[]): Resource[] {
  const related = new Map(order.map((number) => [number, {} as Partial<Record<Relation, string[]>>]));
  for (const { from, to, relation } of edges) {
    const isForward = relation === 'before' || relation === 'notify';
    const own = related.get(isForward ? from : to) ?? {};
    own[relation] = [...(own[relation] ?? []), `Notify[${isForward ? to : from}]`];
  }
  return order.map((number) => ({ ...notify(String(number), {}), relations: related.get(number) ?? {} }));
}

/** Edges from lower to higher numbers only; listed in any order. */
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

test('what has an order has no cycle', () => {
  fc.assert(
    fc.property(acyclic, ({ order, edges }) => {
      expect(findProblems(graph(order, edges))).toEqual([]);
    }),
  );
});

test('one relation back makes one problem, whose cycle is one of the graph', () => {
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
  // Short ones and long ones were tried.
  expect(seen.size).toBeGreaterThan(2);
});
