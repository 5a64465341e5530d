import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Declaration } from '@nova-platform/plan/testing';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Credentials } from '../node.ts';
import { file, piece } from '../resource.ts';
import { Sensitive } from '../sensitive.ts';
import { contentOf, nodeInput } from '../testing.ts';
import { proxyDropIn, proxySettings, secretFile } from './proxy-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'nova-proxy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const proxy: NonNullable<Declaration['proxy']> = {
  httpProxy: { server: 'http://proxy.local', port: 3128 },
  httpsProxy: { server: 'https://secure.local', port: 3129 },
  noProxy: '*.mycompany.local,10.0.0.0/8',
};

type Variables = Record<string, string>;
const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

function inputWith(credentials: Credentials | undefined) {
  return nodeInput({ proxy }, { secrets: { proxy: { http: credentials, https: credentials } } });
}

/** The variables of a real shell after it read the profile. */
function inShell(credentials: Credentials | undefined): Variables {
  const path = join(folder, 'nova-proxy.sh');
  writeFileSync(path, contentOf({ resources: proxySettings(inputWith(credentials)) }, '/etc/profile.d/nova-proxy.sh'));
  const all = names.flatMap((name) => [name, name.toLowerCase()]);
  const print = all.map((name) => `printf '%s\\0' "$${name}"`).join('; ');
  // A child process sees only exported variables.
  const output = execFileSync('sh', ['-c', `. "$1"; exec sh -c "$2"`, 'sh', path, print], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  return Object.fromEntries(
    output
      .split('\0')
      .slice(0, -1)
      .map((value, index) => [all[index], value]),
  );
}

/**
 * The variables of a service with this drop-in, by systemd's rules for `Environment=`: words are split at blanks
 * outside double quotes, C-style escapes are resolved, then specifiers: %% is a percent sign, and any other %x is
 * expanded.
 */
function inService(unit: string): Variables {
  const [section, ...settings] = unit.split('\n').filter((line) => line !== '' && !/^[#;]/.test(line));
  expect(section).toBe('[Service]');
  return Object.fromEntries(
    settings.map((line) => {
      // A trailing backslash would join the next line.
      expect(line).not.toMatch(/\\$/);
      const quoted = /^Environment="((?:[^"\\]|\\.)*)"$/.exec(line)?.[1];
      if (quoted === undefined) throw new Error(`not one word in double quotes: ${line}`);
      const unescaped = quoted.replace(/\\(.)/g, (whole, character: string) => {
        if (!'"\\'.includes(character)) throw new Error(`an unintended escape: ${whole}`);
        return character;
      });
      const plain = unescaped.replace(/%(.?)/g, (whole, character: string) => {
        if (character !== '%') throw new Error(`an unintended specifier: ${whole}`);
        return '%';
      });
      const at = plain.indexOf('=');
      return [plain.slice(0, at), plain.slice(at + 1)];
    }),
  );
}

function credentialsIn(address: string | undefined): Credentials {
  const { username, password } = new URL(address ?? '');
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

function expectEverywhere(credentials: Credentials): void {
  const shell = inShell(credentials);
  const service = inService(proxyDropIn(inputWith(credentials)) ?? '');
  for (const variables of [shell, service]) {
    expect(credentialsIn(variables.HTTP_PROXY)).toEqual(credentials);
    expect(credentialsIn(variables.HTTPS_PROXY)).toEqual(credentials);
    expect(new URL(variables.HTTP_PROXY ?? '')).toMatchObject({ protocol: 'http:', host: 'proxy.local:3128' });
    expect(new URL(variables.HTTPS_PROXY ?? '')).toMatchObject({ protocol: 'https:', host: 'secure.local:3129' });
  }
  for (const name of names) {
    expect(shell[name.toLowerCase()]).toBe(shell[name]);
    expect(service[name]).toBe(shell[name]);
  }
}

test('without credentials, shells and services get the declared address and exceptions', () => {
  const shell = inShell(undefined);
  expect(shell.HTTP_PROXY).toBe('http://proxy.local:3128');
  expect(shell.HTTPS_PROXY).toBe('https://secure.local:3129');
  expect(shell.NO_PROXY).toMatch(/^localhost,127\.0\.0\.0\/8,.*,\*\.mycompany\.local,10\.0\.0\.0\/8$/);
  expect(inService(proxyDropIn(inputWith(undefined)) ?? '')).toEqual(
    Object.fromEntries(names.map((name) => [name, shell[name]])),
  );
});

test.for([
  `'"%$\\@:/`,
  `'; touch /tmp/x; '`,
  '$(id) `id` $HOME',
  '%41 %% %n %27',
  '\\n\\t\\x41 \\',
  'a\nb\r\tc',
  '!*()~ #?&;=+,[]{}|^<>',
  'пароль 密码 😀',
])('credentials with %j reach shells and services unchanged', (text) => {
  expectEverywhere({ username: text, password: text });
  expectEverywhere({ username: 'user', password: text });
});

test('arbitrary credentials reach shells and services unchanged', () => {
  const awkward = ["'", '"', '%', '$', '\\', '@', ':', '/', ' ', '\n'];
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })),
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(fc.record({ username: text, password: text }), (credentials) => {
      expectEverywhere(credentials);
    }),
    { numRuns: 40 },
  );
});

test('a proxy for one protocol does not affect the other', () => {
  const input = nodeInput({ proxy: { httpsProxy: { server: 'http://proxy.local', port: 3128 } } });
  expect(inService(proxyDropIn(input) ?? '')).toEqual({
    HTTPS_PROXY: 'http://proxy.local:3128',
    NO_PROXY: expect.stringContaining('localhost'),
  });
});

test.for<[string, Credentials | undefined, string]>([
  ['no credentials', undefined, ''],
  ['credentials', { username: 'me', password: 'p@ss' }, 'me:p%40ss@'],
])(
  'with %s, the port is always explicit: the default ports of proxy clients differ from those of the scheme',
  ([, login, before]) => {
    const declared: Declaration = {
      proxy: {
        httpProxy: { server: 'http://proxy.local', port: 80 },
        httpsProxy: { server: 'https://secure.local', port: 443 },
      },
    };
    const input = nodeInput(declared, { secrets: { proxy: { http: login, https: login } } });
    const expected = { HTTP_PROXY: `http://${before}proxy.local:80`, HTTPS_PROXY: `https://${before}secure.local:443` };
    expect(inService(proxyDropIn(input) ?? '')).toMatchObject(expected);
    const profile = contentOf({ resources: proxySettings(input) }, '/etc/profile.d/nova-proxy.sh').split('\n');
    for (const [name, value] of Object.entries(expected)) {
      expect(profile).toContain(`export ${name}='${value}'`);
      expect(profile).toContain(`export ${name.toLowerCase()}='${value}'`);
    }
  },
);

test('an address without a port stays without one, and each protocol has its own credentials', () => {
  const declared: Declaration = {
    proxy: { httpProxy: { server: 'http://proxy.local' }, httpsProxy: { server: 'http://proxy.local' } },
  };
  const input = nodeInput(declared, { secrets: { proxy: { https: { username: 'a', password: 'b' } } } });
  expect(inService(proxyDropIn(input) ?? '')).toMatchObject({
    HTTP_PROXY: 'http://proxy.local',
    HTTPS_PROXY: 'http://a:b@proxy.local',
  });
});

test('a file with credentials is sensitive, and only root can read it', () => {
  const [profile, ...others] = proxySettings(inputWith({ username: 'me', password: 'hunter2' }));
  expect(others).toEqual([]);
  expect(profile?.parameters).toEqual({
    content: expect.any(Sensitive),
    mode: '0600',
    owner: 'root',
    group: 'root',
  });
  expect(JSON.stringify(profile)).not.toContain('hunter2');
});

test('without a proxy, nothing is set and earlier settings are deleted', () => {
  const input = nodeInput({}, { secrets: { proxy: { http: { username: 'me', password: 'hunter2' } } } });
  expect(proxySettings(input)).toEqual(
    piece('proxy-settings', file('/etc/profile.d/nova-proxy.sh', { ensure: 'absent' })),
  );
  expect(proxyDropIn(input)).toBeUndefined();
});

test('a secret file keeps its relations, whether present or absent', () => {
  const folder = file('/a', { ensure: 'directory' });
  for (const content of ['x', '', undefined])
    expect(secretFile('/a/b', content, { require: [folder] }).relations).toEqual({ require: ['File[/a]'] });
  expect(contentOf({ resources: [secretFile('/a/b', '')] }, '/a/b')).toBe('');
});
