import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Declaration, plan, zvirt } from '@nova-platform/plan/testing';
import { afterAll, describe, expect, test } from 'vitest';
import type { Catalog } from './catalog.ts';
import { compileCatalog } from './compile.ts';
import { diffCatalogs } from './diff.ts';
import type { Manager } from './node.ts';
import { reference } from './resource.ts';
import { Sensitive } from './sensitive.ts';
import { contentOf, existing, highlyAvailable, manager, nodeInput, resourceOf } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'nova-compile-'));
afterAll(() => rmSync(folder, { recursive: true }));

const certificate = '-----BEGIN CERTIFICATE-----\nпрокси\n-----END CERTIFICATE-----\n';
const credentials = { username: `dom\\us'er`, password: `p'"%$\\@:/ w` };
const withProxy: Declaration = {
  proxy: {
    httpProxy: { server: 'http://proxy.local', port: 3128, ...credentials },
    httpsProxy: { server: 'https://secure.local', port: 3129, ...credentials },
    trustedCA: Buffer.from(certificate).toString('base64'),
  },
};
const secrets = { proxy: { http: credentials, https: credentials } };

function compile(declaration?: Declaration, around?: Parameters<typeof nodeInput>[1]): Catalog {
  return compileCatalog(nodeInput(declaration, around));
}

function piecesOf({ resources }: Catalog): string[] {
  return [...new Set(resources.map(({ piece }) => String(piece)))];
}

function files({ resources }: Catalog): string[] {
  return resources.filter(({ type }) => type === 'file').map(({ title }) => title);
}

const clusters: Record<string, { declaration: Declaration; pieces: string[] }> = {
  'one local node': { declaration: {}, pieces: ['resolver'] },
  'a highly available cluster': { declaration: highlyAvailable, pieces: ['resolver'] },
  'existing hosts': { declaration: existing, pieces: [] },
  'zVirt machines': { declaration: zvirt, pieces: ['resolver'] },
  'one local node behind a proxy': { declaration: withProxy, pieces: ['resolver'] },
  'existing hosts behind a proxy': { declaration: { ...existing, ...withProxy }, pieces: [] },
};

describe.for(Object.entries(clusters))('%s', ([, { declaration, pieces }]) => {
  const compiled = () =>
    plan(declaration).nodes.map(({ name }) => ({ name, catalog: compile(declaration, { node: name, secrets }) }));

  test('every node has the expected pieces, and every resource belongs to one', () => {
    const kernel = ['kernel-modules', 'sysctls', 'limits'];
    const always = [
      'units',
      'agent',
      ...kernel,
      'hosts',
      'trusted-authorities',
      'restarts',
      'proxy-settings',
      'containerd',
      'certificates',
    ];
    const cluster = ['kubernetes', 'pod-network', 'kubelet', 'kube-proxy'];
    const control = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
    for (const { name, catalog } of compiled()) {
      const roles = plan(declaration).nodes.find((node) => node.name === name)?.roles ?? [];
      const own = roles.includes('control-plane') ? control : [];
      expect(catalog.node).toBe(name);
      expect(piecesOf(catalog).sort()).toEqual([...always, ...cluster, ...own, ...pieces].sort());
    }
  });

  test('every service that subscribes to files is in the list of late restarts', () => {
    for (const { catalog } of compiled()) {
      const list = new Map(
        contentOf(catalog, '/etc/nova/restarts.list')
          .trimEnd()
          .split('\n')
          .map((line) => [line.split(' ')[0]?.replace('.service', '') ?? '', line.split(' ').slice(1)]),
      );
      const services = catalog.resources.filter(({ type, relations }) => type === 'service' && relations.subscribe);
      expect([...list.keys()]).toEqual(services.map(({ title }) => title));
      for (const { title, relations } of services)
        for (const subscribed of relations.subscribe ?? [])
          expect(list.get(title)?.map((path) => `File[${path}]`)).toContain(subscribed);
      // The kubelet reads this certificate only at startup.
      expect(list.get('kubelet')).toContain('/etc/nova/pki/kubelet-client.crt');
    }
  });

  test('the same declaration gives the same catalogs', () => {
    for (const { name, catalog } of compiled()) {
      const again = compile(declaration, { node: name, secrets });
      expect(JSON.stringify(again)).toBe(JSON.stringify(catalog));
      expect(diffCatalogs(catalog, again)).toEqual([]);
    }
  });

  test('no package is installed: programs are part of the image', () => {
    for (const { catalog } of compiled())
      expect(catalog.resources.filter(({ type }) => type === 'package')).toEqual([]);
  });

  test('every path is absolute and every command can be found', () => {
    for (const { catalog } of compiled()) {
      for (const path of files(catalog)) expect(path).toMatch(/^(\/[^/]+)+$/);
      for (const { type, parameters } of catalog.resources) {
        if (type !== 'exec' || parameters.path) continue;
        expect(parameters.command).toMatch(/^\//);
        expect(parameters.unless ?? '/').toMatch(/^\//);
        expect(parameters.onlyif ?? '/').toMatch(/^\//);
      }
    }
  });

  test('every folder that a stock machine lacks is created before its contents', () => {
    const stock = [
      '/etc',
      '/etc/modules-load.d',
      '/etc/profile.d',
      '/etc/puppet',
      '/etc/sysctl.d',
      '/etc/systemd',
      '/etc/systemd/system',
      '/etc/systemd/system/multi-user.target.wants',
      '/etc/systemd/system/timers.target.wants',
      '/usr/local/lib',
      '/usr/local/share/ca-certificates',
      '/var/lib',
      '/var/log',
    ];
    for (const { catalog } of compiled()) {
      const there = new Set(stock);
      for (const { type, title, parameters } of catalog.resources) {
        if (type !== 'file') continue;
        expect(there).toContain(dirname(title));
        if (parameters.ensure === 'directory') there.add(title);
      }
    }
  });

  test('every file has a mode', () => {
    for (const { catalog } of compiled()) {
      for (const { type, parameters } of catalog.resources) {
        if (type !== 'file') continue;
        if (parameters.ensure === 'absent') expect(parameters).toEqual({ ensure: 'absent' });
        else if (parameters.ensure !== 'link') expect(parameters.mode).toMatch(/^0[67][045][045]$/);
        if (parameters.content instanceof Sensitive)
          expect(parameters).toMatchObject({ mode: '0600', owner: 'root', group: 'root' });
      }
    }
  });
});

/** Whether the check finds the settings applied in a kernel with these values. */
function isApplied(catalog: Catalog, kernel: Readonly<Record<string, string>>): boolean {
  const cases = Object.entries(kernel).map(([name, value]) => `'-n ${name}') echo ${value} ;;`);
  // The message of the real sysctl.
  const unknown = '*) echo "sysctl: cannot stat $2: No such file or directory" >&2; exit 255 ;;';
  writeFileSync(join(folder, 'sysctl'), `#!/bin/sh\ncase $* in\n${[...cases, unknown].join('\n')}\nesac\n`, {
    mode: 0o755,
  });
  const { unless } = resourceOf(catalog, 'Exec[apply sysctls]').parameters;
  const { status, stderr } = spawnSync('/bin/sh', ['-c', String(unless)], {
    encoding: 'utf8',
    env: { PATH: `${folder}:/usr/bin:/bin` },
  });
  expect(stderr).toBe('');
  return status === 0;
}

describe('kernel', () => {
  const wide = /^(vm|kernel|fs|net\.bridge)\./m;

  test.for(['container_other', 'docker', 'lxc', 'openvz', 'podman', 'systemd_nspawn', 'crio'])(
    'a %s machine does not configure the kernel of its host',
    (virtual) => {
      const catalog = compile({}, { facts: { virtual } });
      expect(piecesOf(catalog)).not.toContain('kernel-modules');
      const settings = contentOf(catalog, '/etc/sysctl.d/99-nova.conf');
      expect(settings).toMatch(/^net\.ipv4\.ip_forward = 1$/m);
      expect(settings).not.toMatch(wide);
      expect(resourceOf(catalog, 'Exec[apply sysctls]').parameters.unless).not.toMatch(
        /\b(vm|kernel|fs|net\.bridge)\./,
      );
      expect(contentOf(catalog, '/etc/containerd/config.toml')).toMatch(/restrict_oom_score_adj = true/);
      expect(contentOf(catalog, '/etc/containerd/config.toml')).toMatch(/SystemdCgroup = false/);
    },
  );

  test.for([undefined, {}, { virtual: 'physical' }, { virtual: 'kvm' }, { virtual: 7 }])(
    'a node with facts %j configures its kernel',
    (facts) => {
      const catalog = compile({}, facts && { facts });
      expect(piecesOf(catalog)).toContain('kernel-modules');
      expect(contentOf(catalog, '/etc/sysctl.d/99-nova.conf')).toMatch(wide);
      expect(contentOf(catalog, '/etc/containerd/config.toml')).not.toMatch(/restrict_oom_score_adj/);
      expect(contentOf(catalog, '/etc/containerd/config.toml')).toMatch(/SystemdCgroup = true/);
    },
  );

  test('the check covers every setting that is written', () => {
    const catalog = compile();
    const settings = [...contentOf(catalog, '/etc/sysctl.d/99-nova.conf').matchAll(/^([\w.-]+) = (\d+)$/gm)];
    const wanted = Object.fromEntries(settings.map(([, name = '', value = '']) => [name, value]));
    expect(settings.length).toBeGreaterThan(5);
    expect(isApplied(catalog, wanted)).toBe(true);
    for (const name of Object.keys(wanted))
      expect([name, isApplied(catalog, { ...wanted, [name]: '7' })]).toEqual([name, false]);
  });

  test('a setting that the kernel lacks counts as applied and does not block the others', () => {
    const catalog = compile();
    expect(isApplied(catalog, {})).toBe(true);
    expect(isApplied(catalog, { 'net.ipv4.ip_forward': '1' })).toBe(true);
    expect(isApplied(catalog, { 'net.ipv4.ip_forward': '0' })).toBe(false);
    expect(resourceOf(catalog, 'Exec[apply sysctls]').parameters.command).toMatch(/^sysctl (.* )?--ignore /);
  });
});

describe('name resolution', () => {
  test('in our networks, a node uses Universe as its DNS server, and its hosts file has only its own name and the manager’s', () => {
    const catalog = compile();
    expect(contentOf(catalog, '/etc/resolv.conf')).toMatch(/^nameserver 10\.255\.0\.10$/m);
    expect(contentOf(catalog, '/etc/hosts')).toMatch(/^10\.20\.0\.10 demo-main-1$/m);
    expect(contentOf(catalog, '/etc/hosts').match(/\S*universe\S*/g)).toEqual([manager.name]);
  });

  test('in existing networks, the resolver is unchanged, and the hosts file has the names of the platform', () => {
    const catalog = compile(existing, { node: 'rack2-n1' });
    expect(files(catalog)).not.toContain('/etc/resolv.conf');
    const hosts = contentOf(catalog, '/etc/hosts').split('\n');
    expect(hosts).toEqual(
      expect.arrayContaining([
        '127.0.0.1 localhost',
        '10.20.0.5 rack2-n1',
        `172.30.0.10 ${manager.name}`,
        '10.20.0.77 api.demo.nova.internal',
      ]),
    );
  });
});

describe('the manager', () => {
  /** Lines of the hosts file of a node with another manager. */
  const hosts = (declaration: Declaration, elsewhere: Partial<Manager>) =>
    contentOf(compileCatalog({ ...nodeInput(declaration), manager: { ...manager, ...elsewhere } }), '/etc/hosts').split(
      '\n',
    );
  const planned = `172.30.0.10 ${manager.name}`;

  test('resolves to its real address, whatever the plan contains', () => {
    expect(hosts(existing, {}).filter((line) => line.endsWith(` ${manager.name}`))).toEqual([planned]);
    const lines = hosts(existing, { address: '192.0.2.7' });
    expect(lines.filter((line) => line.endsWith(` ${manager.name}`))).toEqual([`192.0.2.7 ${manager.name}`]);
    // The other names of the plan remain.
    expect(lines).toContain('10.20.0.77 api.demo.nova.internal');
  });

  test('can have another name', () => {
    const lines = hosts(existing, { name: 'cm.mycompany.local', address: '192.0.2.7' });
    expect(lines).toContain('192.0.2.7 cm.mycompany.local');
    expect(lines).toContain(planned);
  });

  test('is in the hosts file in our networks too', () => {
    expect(hosts({}, { name: 'cm.mycompany.local', address: '192.0.2.7' })).toContain('192.0.2.7 cm.mycompany.local');
  });
});

describe('agent', () => {
  test('the agent never restarts itself during a run', () => {
    const { parameters, relations } = resourceOf(compile(), 'Service[nova-agent]');
    expect(parameters).toEqual({ ensure: 'running' });
    expect(relations).toEqual({ require: ['Exec[read units]'] });
    const notified = compile().resources.flatMap((each) => each.relations.notify ?? []);
    expect(notified).not.toContain('Service[nova-agent]');
  });

  test('the agent is configured with its name, its server and the CA fingerprint', () => {
    const config = contentOf(compile(), '/etc/puppet/puppet.conf').split('\n');
    expect(config).toEqual(
      expect.arrayContaining([
        'certname = demo-main-1',
        `server = ${manager.name}`,
        'serverport = 8140',
        'ca_fingerprint = AB:CD:EF',
        'environment = production',
      ]),
    );
  });
});

describe('trusted CAs', () => {
  test('nodes trust the platform CA, and the proxy CA if it is declared', () => {
    const folder = '/usr/local/share/ca-certificates';
    const update = 'Exec[update trusted authorities]';
    expect(contentOf(compile(), `${folder}/nova.crt`)).toBe(manager.authority);
    expect(contentOf(compile(withProxy), `${folder}/nova-proxy.crt`)).toBe(certificate);
    const { trustedCA: _, ...untrusted } = withProxy.proxy ?? {};
    for (const declaration of [{}, { proxy: untrusted }])
      expect(resourceOf(compile(declaration), `File[${folder}/nova-proxy.crt]`).parameters).toEqual({
        ensure: 'absent',
      });
    for (const declaration of [{}, withProxy])
      expect(resourceOf(compile(declaration), update).relations.subscribe).toEqual([
        `File[${folder}/nova.crt]`,
        `File[${folder}/nova-proxy.crt]`,
      ]);
  });

  test('nodes trust only the root of a bundle: each file has one certificate', () => {
    const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
    const trusted = (authority: string) =>
      contentOf(
        compileCatalog({ ...nodeInput(), manager: { ...manager, authority } }),
        '/usr/local/share/ca-certificates/nova.crt',
      );
    expect(trusted(pem('issuing') + pem('root'))).toBe(pem('root'));
    expect(trusted(`issuing:\n${pem('issuing')}\nroot:\n${pem('root')}`)).toBe(pem('root'));
    expect(trusted(pem('root'))).toBe(pem('root'));
  });
});

describe('proxy', () => {
  test('a proxy change restarts containerd after systemd has reloaded its units', () => {
    const changed = compile(withProxy, { secrets: { proxy: { http: { ...credentials, password: 'other' } } } });
    const difference = diffCatalogs(compile(withProxy, { secrets }), changed);
    expect(difference.map(({ resource, kind }) => `${kind} ${resource}`)).toEqual([
      'changed File[/etc/profile.d/nova-proxy.sh]',
      'changed File[/etc/systemd/system/containerd.service.d/nova-proxy.conf]',
      'refreshed Exec[read units]',
      'refreshed Service[containerd]',
    ]);
    expect(JSON.stringify(difference)).not.toContain('other');
  });

  test('the credentials appear only in sensitive values, in any encoding', () => {
    const catalog = compile(withProxy, { secrets });
    const forms = [credentials.password, credentials.username, encodeURIComponent(credentials.password)];
    const open = catalog.resources.map((resource) => ({
      ...resource,
      parameters: Object.entries(resource.parameters).filter(([, value]) => !(value instanceof Sensitive)),
    }));
    const secret = catalog.resources.filter(({ parameters }) => parameters.content instanceof Sensitive);
    expect(secret.map(reference)).toEqual([
      'File[/etc/profile.d/nova-proxy.sh]',
      'File[/etc/systemd/system/containerd.service.d/nova-proxy.conf]',
    ]);
    for (const form of [...forms, 'p%27']) {
      expect(JSON.stringify(open)).not.toContain(form);
      expect(JSON.stringify(open)).not.toContain(JSON.stringify(form).slice(1, -1));
    }
    expect(contentOf(catalog, '/etc/profile.d/nova-proxy.sh')).toContain('p%27');
  });

  test('without a proxy, no service has proxy settings', () => {
    const catalog = compile({}, { secrets });
    const left = catalog.resources.filter(({ title }) => title.includes('nova-proxy'));
    expect(left.map(reference)).toEqual([
      'File[/etc/profile.d/nova-proxy.sh]',
      'File[/etc/systemd/system/containerd.service.d/nova-proxy.conf]',
      'File[/usr/local/share/ca-certificates/nova-proxy.crt]',
    ]);
    for (const { parameters } of left) expect(parameters).toEqual({ ensure: 'absent' });
  });

  test('removing the proxy deletes its files and restarts its users', () => {
    const [declared, not] = [compile(withProxy, { secrets }), compile()];
    const kept = [
      'File[/etc/profile.d/nova-proxy.sh]',
      'File[/etc/systemd/system/containerd.service.d/nova-proxy.conf]',
      'File[/usr/local/share/ca-certificates/nova-proxy.crt]',
    ];
    for (const difference of [diffCatalogs(declared, not), diffCatalogs(not, declared)]) {
      expect(difference.map(({ resource, kind }) => `${kind} ${resource}`)).toEqual([
        ...kept.map((resource) => `changed ${resource}`),
        'refreshed Exec[read units]',
        'refreshed Service[containerd]',
        'refreshed Exec[update trusted authorities]',
      ]);
    }
    for (const resource of kept)
      expect(diffCatalogs(declared, not)).toContainEqual(
        expect.objectContaining({
          resource,
          parameters: expect.arrayContaining([{ parameter: 'ensure', to: 'absent' }]),
        }),
      );
  });

  test.for([{}, withProxy])(
    'systemd reloads its units before containerd restarts, with a proxy and without',
    (declaration) => {
      const catalog = compile(declaration);
      const folder = '/etc/systemd/system/containerd.service.d';
      expect(resourceOf(catalog, `File[${folder}]`).parameters.ensure).toBe('directory');
      expect(resourceOf(catalog, `File[${folder}/nova-proxy.conf]`).relations).toEqual({
        require: [`File[${folder}]`],
        notify: ['Exec[read units]'],
      });
      const { subscribe, require } = resourceOf(catalog, 'Service[containerd]').relations;
      expect(subscribe).toEqual(
        expect.arrayContaining(['File[/etc/containerd/config.toml]', `File[${folder}/nova-proxy.conf]`]),
      );
      expect(require).toContain('Exec[read units]');
    },
  );
});

test('systemd reloads once, after all unit files are written and before any service starts', () => {
  for (const node of plan(highlyAvailable).nodes) {
    const { resources } = compile(highlyAvailable, { node: node.name });
    const reading = resources.filter(({ parameters }) => String(parameters.command).includes('systemctl'));
    expect(reading.map(reference)).toEqual(['Exec[read units]']);
    for (const { type, title, parameters, relations } of resources) {
      if (type === 'file' && title.startsWith('/etc/systemd/') && parameters.ensure !== 'directory')
        expect(relations.notify, title).toContain('Exec[read units]');
      // With `enable` or the default `start`, the agent would make systemd reload again.
      if (type === 'service') expect(parameters.enable, title).toBeUndefined();
      if (type === 'service') expect(relations.require, title).toContain('Exec[read units]');
      if (type === 'service' && title !== 'nova-agent')
        expect(parameters.start).toMatch(/^\/usr\/bin\/systemctl start /);
    }
  }
});
