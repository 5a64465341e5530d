import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Declaration, plan, zvirt } from '../../plan/src/testing.ts';
import type { Catalog } from './catalog.ts';
import { compileCatalog } from './compile.ts';
import { diffCatalogs } from './diff.ts';
import { reference } from './resource.ts';
import { Sensitive } from './sensitive.ts';
import { contentOf, existing, highlyAvailable, manager, nodeInput, resourceOf } from './testing.ts';

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
  'hosts that exist': { declaration: existing, pieces: [] },
  'machines of zVirt': { declaration: zvirt, pieces: ['resolver'] },
  'one local node behind a proxy': { declaration: withProxy, pieces: ['resolver', 'proxy-settings'] },
  'hosts that exist behind a proxy': { declaration: { ...existing, ...withProxy }, pieces: ['proxy-settings'] },
};

describe.for(Object.entries(clusters))('%s', ([, { declaration, pieces }]) => {
  const compiled = () =>
    plan(declaration).nodes.map(({ name }) => ({ name, catalog: compile(declaration, { node: name, secrets }) }));

  test('every node has the pieces it should have, and every resource belongs to one', () => {
    const always = ['agent', 'kernel-modules', 'sysctls', 'limits', 'hosts', 'trusted-authorities', 'containerd'];
    for (const { name, catalog } of compiled()) {
      expect(catalog.node).toBe(name);
      expect(piecesOf(catalog).sort()).toEqual([...always, 'certificates', ...pieces].sort());
    }
  });

  test('the same declaration gives the same catalogs', () => {
    for (const { name, catalog } of compiled()) {
      const again = compile(declaration, { node: name, secrets });
      expect(JSON.stringify(again)).toBe(JSON.stringify(catalog));
      expect(diffCatalogs(catalog, again)).toEqual([]);
    }
  });

  test('programs are part of the image: no package is installed', () => {
    for (const { catalog } of compiled())
      expect(catalog.resources.filter(({ type }) => type === 'package')).toEqual([]);
  });

  test('every path is absolute and every command can be found, or an agent would refuse it all', () => {
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

  test('every folder that a stock machine lacks is made before what is put into it', () => {
    const stock = [
      '/etc',
      '/etc/modules-load.d',
      '/etc/profile.d',
      '/etc/puppet',
      '/etc/sysctl.d',
      '/etc/systemd',
      '/etc/systemd/system',
      '/usr/local/lib',
      '/usr/local/share/ca-certificates',
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

  test('every file says who may read it', () => {
    for (const { catalog } of compiled()) {
      for (const { type, parameters } of catalog.resources) {
        if (type === 'file') expect(parameters.mode).toMatch(/^0[67][045][045]$/);
        if (type === 'file' && parameters.content instanceof Sensitive) expect(parameters.mode).toBe('0600');
      }
    }
  });
});

describe('kernel', () => {
  const wide = /^(vm|kernel|fs|net\.bridge)\./m;

  test.for(['container_other', 'docker', 'lxc', 'openvz', 'podman', 'systemd_nspawn', 'crio'])(
    "a machine that is %s leaves its host's kernel alone",
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
    'with facts %j the kernel is its own',
    (facts) => {
      const catalog = compile({}, facts && { facts });
      expect(piecesOf(catalog)).toContain('kernel-modules');
      expect(contentOf(catalog, '/etc/sysctl.d/99-nova.conf')).toMatch(wide);
      expect(contentOf(catalog, '/etc/containerd/config.toml')).not.toMatch(/restrict_oom_score_adj/);
      expect(contentOf(catalog, '/etc/containerd/config.toml')).toMatch(/SystemdCgroup = true/);
    },
  );

  test('every setting that is written is also what decides whether to apply', () => {
    const catalog = compile();
    const settings = [...contentOf(catalog, '/etc/sysctl.d/99-nova.conf').matchAll(/^([\w.-]+) = (\d+)$/gm)];
    const unless = resourceOf(catalog, 'Exec[apply sysctls]').parameters.unless;
    expect(settings.length).toBeGreaterThan(5);
    for (const [, name, value] of settings) expect(unless).toContain(`test "$(sysctl -n ${name})" = ${value}`);
  });
});

describe('names', () => {
  test('in a network of ours a node asks Universe, and its hosts file has its own name only', () => {
    const catalog = compile();
    expect(contentOf(catalog, '/etc/resolv.conf')).toMatch(/^nameserver 10\.255\.0\.10$/m);
    expect(contentOf(catalog, '/etc/hosts')).toMatch(/^10\.20\.0\.10 demo-main-1$/m);
    expect(contentOf(catalog, '/etc/hosts')).not.toContain('universe');
  });

  test('in a network that exists the resolver is left alone, and the names of the platform are in the hosts file', () => {
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

describe('agent', () => {
  test('the agent never restarts itself from within a run', () => {
    const { parameters, relations } = resourceOf(compile(), 'Service[nova-agent]');
    expect(parameters).toEqual({ ensure: 'running' });
    expect(relations).toEqual({ require: ['Exec[reload agent unit]'] });
    const notified = compile().resources.flatMap((each) => each.relations.notify ?? []);
    expect(notified).not.toContain('Service[nova-agent]');
  });

  test('the agent knows its own name, its server and by what to know it', () => {
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

describe('trust', () => {
  test('the authority of the platform is trusted, and that of the proxy where it is declared', () => {
    const folder = '/usr/local/share/ca-certificates';
    const update = 'Exec[update trusted authorities]';
    expect(contentOf(compile(), `${folder}/nova.crt`)).toBe(manager.authority);
    expect(files(compile())).not.toContain(`${folder}/nova-proxy.crt`);
    const catalog = compile(withProxy);
    expect(contentOf(catalog, `${folder}/nova-proxy.crt`)).toBe(certificate);
    expect(resourceOf(catalog, update).relations.subscribe).toEqual([
      `File[${folder}/nova.crt]`,
      `File[${folder}/nova-proxy.crt]`,
    ]);
  });
});

describe('proxy', () => {
  test('containerd restarts with another proxy, after systemd has read it', () => {
    const changed = compile(withProxy, { secrets: { proxy: { http: { ...credentials, password: 'other' } } } });
    const difference = diffCatalogs(compile(withProxy, { secrets }), changed);
    expect(difference.map(({ resource, kind }) => `${kind} ${resource}`)).toEqual([
      'changed File[/etc/profile.d/nova-proxy.sh]',
      'changed File[/etc/systemd/system/containerd.service.d/nova-proxy.conf]',
      'refreshed Exec[reload containerd unit]',
      'refreshed Service[containerd]',
    ]);
    expect(JSON.stringify(difference)).not.toContain('other');
  });

  test('the credentials stand in secrets only, in whatever form', () => {
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

  test('without a proxy no service has one', () => {
    const catalog = compile({}, { secrets });
    expect(files(catalog).filter((path) => path.includes('nova-proxy'))).toEqual([]);
    expect(resourceOf(catalog, 'Service[containerd]').relations.subscribe).toEqual([
      'File[/etc/containerd/config.toml]',
    ]);
  });
});
