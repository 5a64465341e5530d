import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Catalog, createCatalog, toWire } from './catalog.ts';
import { compileCatalog } from './compile.ts';
import { exec, file, piece, type Resource, service } from './resource.ts';
import { sensitive } from './sensitive.ts';
import { anyCatalog, nodeInput } from './testing.ts';

interface WireCatalog {
  resources: {
    type: string;
    title: string;
    parameters: Record<string, unknown>;
    sensitive_parameters?: string[];
  }[];
  metadata: Record<string, { checksum: { type: string; value: string }; content_uri: string }>;
}

function wire(...resources: Resource[]): WireCatalog & { files: ReadonlyMap<string, string> } {
  return wireOf(createCatalog('node-1', resources));
}

/** The catalog as an agent parses it. */
function wireOf(catalog: Catalog): WireCatalog & { files: ReadonlyMap<string, string> } {
  const { catalog: sent, files } = toWire(catalog, '7');
  return { ...(JSON.parse(JSON.stringify(sent)) as WireCatalog), files };
}

test('an agent gets all required fields, and relations as references', () => {
  const a = file('/a', { content: 'x', mode: '0644', replace: false });
  const b = service('b', { ensure: 'running', enable: true }, { require: [a], subscribe: [a] });
  const c = exec('c', { command: ['/c', 'd'], tries: 3 }, { before: [b], notify: [b] });
  expect(toWire(createCatalog('node-1', [...piece('base', a), b, c]), '7').catalog).toEqual({
    name: 'node-1',
    version: '7',
    code_id: 'nova',
    environment: 'production',
    catalog_format: 1,
    resources: [
      {
        type: 'File',
        title: '/a',
        tags: ['file', 'piece:base'],
        exported: false,
        parameters: { content: 'x', mode: '0644', replace: false },
      },
      {
        type: 'Service',
        title: 'b',
        tags: ['service'],
        exported: false,
        parameters: { ensure: 'running', enable: true, require: ['File[/a]'], subscribe: ['File[/a]'] },
      },
      {
        type: 'Exec',
        title: 'c',
        tags: ['exec'],
        exported: false,
        parameters: { command: ['/c', 'd'], tries: 3, before: ['Service[b]'], notify: ['Service[b]'] },
      },
    ],
    edges: [],
    classes: [],
    metadata: {},
  });
});

test('the node gets its secrets and the names of the sensitive parameters', () => {
  const { resources } = wire(file('/a', { content: sensitive('hunter2'), owner: sensitive('me'), mode: '0600' }));
  expect(resources).toMatchObject([
    { parameters: { content: 'hunter2', owner: 'me', mode: '0600' }, sensitive_parameters: ['content', 'owner'] },
  ]);
  expect(wire(file('/a', { content: 'x' })).resources[0]).not.toHaveProperty('sensitive_parameters');
});

test.for([
  ['1024 bytes', 'x'.repeat(1024), true],
  ['1025 bytes', 'x'.repeat(1025), false],
  ['512 two-byte characters', 'я'.repeat(512), true],
  ['513 two-byte characters', 'я'.repeat(513), false],
  ['256 four-byte characters', '😀'.repeat(256), true],
  ['256 four-byte characters and one byte', `${'😀'.repeat(256)}x`, false],
  ['0 bytes', '', true],
] as const)('content of %s is inline only if it is short', ([, content, isInline]) => {
  const { resources, files, metadata } = wire(file('/a', { content, mode: '0600' }));
  if (isInline) {
    expect(resources[0]?.parameters).toEqual({ content, mode: '0600' });
    expect([files.size, Object.keys(metadata).length]).toEqual([0, 0]);
  } else {
    const checksum = createHash('sha256').update(Buffer.from(content)).digest('hex');
    expect(resources[0]?.parameters).toEqual({ source: `puppet:///nova/${checksum}`, mode: '0600' });
    expect([...files]).toEqual([[checksum, content]]);
    expect(metadata).toEqual({
      '/a': {
        path: '/a',
        relative_path: null,
        links: 'follow',
        owner: 0,
        group: 0,
        mode: 0o644,
        type: 'file',
        destination: null,
        checksum: { type: 'sha256', value: `{sha256}${checksum}` },
        source: `puppet:///nova/${checksum}`,
        content_uri: `puppet:///nova/${checksum}`,
      },
    });
  }
});

test('files with the same long content share it', () => {
  const content = 'x'.repeat(5000);
  const { files, metadata } = wire(file('/a', { content }), file('/b', { content }));
  expect(files.size).toBe(1);
  expect(Object.keys(metadata)).toEqual(['/a', '/b']);
});

test('a long secret is never in a shared file', () => {
  const secret = `hunter2${'x'.repeat(5000)}`;
  const { resources, files, metadata } = wire(file('/a', { content: sensitive(secret) }));
  expect(resources[0]?.parameters).toEqual({ content: secret });
  expect([files.size, Object.keys(metadata).length]).toEqual([0, 0]);
});

test('a command is always inline, however long', () => {
  const command = `/bin/echo ${'x'.repeat(5000)}`;
  expect(wire(exec('a', { command })).resources[0]?.parameters).toEqual({ command });
});

/** Paths of values that agents reject or that JSON would lose. */
function holes(value: unknown, place = ''): string[] {
  if (value === null || value === undefined) return [place];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => holes(each, `${place}/${key}`));
}

test('an agent never gets null, undefined or an object in place of text', () => {
  const check = (catalog: Catalog) => {
    const { metadata: _, ...sent } = toWire(catalog, '7').catalog as WireCatalog;
    expect(holes(sent)).toEqual([]);
    expect(JSON.parse(JSON.stringify(sent))).toEqual(sent);
    for (const { parameters } of sent.resources) {
      for (const value of Object.values(parameters)) {
        expect(Array.isArray(value) ? value.every((each) => typeof each === 'string') : typeof value).not.toBe(
          Array.isArray(value) ? false : 'object',
        );
      }
    }
  };
  check(compileCatalog(nodeInput({ proxy: { httpProxy: { server: 'http://proxy.local' } } })));
  // Builders omit missing parameters.
  const optional: { mode?: string } = {};
  check(createCatalog('node-1', [file('/a', { ...optional, owner: undefined })]));
  fc.assert(fc.property(anyCatalog, check));
});
