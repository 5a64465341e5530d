import { ProblemError } from '@nova-platform/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searched } from './search.ts';

const items = [
  { name: 'web1', status: 'up', memory: 512, tags: ['a', 'b'], description: 'first one' },
  { name: 'web2', status: 'down', memory: 1024, tags: ['a'], description: '' },
  { name: 'db1', status: 'up', memory: 2048, tags: [], description: 'data (main)' },
];
type Item = (typeof items)[number];

const keys = {
  name: ({ name }: Item) => name,
  status: ({ status }: Item) => status,
  memory: ({ memory }: Item) => memory,
  tag: ({ tags }: Item) => tags,
  description: ({ description }: Item) => description,
  'clusters.name': () => 'Default',
};
const found = (search: string, max?: string) => searched(items, keys, { search, max }).map(({ name }) => name);

test.each([
  ['', ['web1', 'web2', 'db1']],
  ['name=web1', ['web1']],
  ['name="web1"', ['web1']],
  ['web*', ['web1', 'web2']],
  ['name=*b1', ['web1', 'db1']],
  ['name=w*b*1', ['web1']],
  ['name!=web*', ['db1']],
  ['name=WEB1', ['web1']],
  ['Vms: name=web1', ['web1']],
  ['status=up and name=web*', ['web1']],
  ['name=web1 or name=db1', ['web1', 'db1']],
  ['name=web1 or name=web2 and status=up', ['web1']],
  ['(name=web1 or name=web2) and status=down', ['web2']],
  ['tag=b', ['web1']],
  ['tag!=a', ['db1']],
  ['memory>512', ['web2', 'db1']],
  ['memory >= 1024', ['web2', 'db1']],
  ['memory<1024', ['web1']],
  ['description="data (main)"', ['db1']],
  ['Clusters.name=default', ['web1', 'web2', 'db1']],
  ['sortby name', ['db1', 'web1', 'web2']],
  ['status=up sortby memory desc', ['db1', 'web1']],
  ['name=nothing', []],
])('%s', (search, expected) => {
  expect(found(search)).toEqual(expected);
});

test('pages have the size of max, by default 100', () => {
  expect(found('sortby name page 1', '2')).toEqual(['db1', 'web1']);
  expect(found('sortby name page 2', '2')).toEqual(['web2']);
  expect(found('page 2')).toEqual([]);
  const many = Array.from({ length: 250 }, (_, index) => ({ ...items[0], name: `m${index}` })) as Item[];
  expect(searched(many, keys, { search: 'page 3' })).toHaveLength(50);
  expect(searched(many, keys, {})).toHaveLength(250);
  expect(searched(many, keys, { max: '10' })).toHaveLength(10);
  expect(searched(many, keys, { max: '-1' })).toHaveLength(250);
});

test('case counts on request', () => {
  expect(searched(items, keys, { search: 'name=WEB1', case_sensitive: 'true' })).toEqual([]);
});

test.each([
  '=',
  'name=',
  'name==x',
  '(name=x',
  'name=x)',
  'name=x and',
  'page 0',
  'page x',
  '"open',
  'name=x nonsense',
  '('.repeat(100),
])('%s is refused', (search) => {
  expect(() => found(search)).toThrow('NOVA7609');
});

test('an unknown key is refused by name', () => {
  expect(() => found('color=red')).toThrow('NOVA7610');
  expect(() => found('constructor=x')).toThrow('NOVA7610');
});

test('a wildcard pattern takes no long time', () => {
  const long = [{ ...items[0], name: 'a'.repeat(100_000) }] as Item[];
  const started = performance.now();
  searched(long, keys, { search: `name=${'*a'.repeat(1000)}*b` });
  expect(performance.now() - started).toBeLessThan(1000);
});

test('any text is searched or refused', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('', 'name=', 'sortby ', 'page '), (text, prefix) => {
      try {
        found(prefix + text);
      } catch (error) {
        expect(error).toBeInstanceOf(ProblemError);
      }
    }),
  );
});
