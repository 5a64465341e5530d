import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  agentScript,
  certificateScript,
  identityScript,
  restartsScript,
  sharedKeyScript,
  trustScript,
  whenApiScript,
  whenServicesScript,
} from './node-scripts.ts';
import { certificates } from './pieces/certificates.ts';
import { contentOf, nodeInput } from './testing.ts';

const scripts = {
  agentScript,
  identityScript,
  certificateScript,
  sharedKeyScript,
  restartsScript,
  trustScript,
  whenApiScript,
  whenServicesScript,
};
const root = mkdtempSync(join(tmpdir(), 'nova-scripts-'));
afterAll(() => rmSync(root, { recursive: true }));

function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

const curve = ['-pkeyopt', 'ec_paramgen_curve:P-256'];
const authority = { key: join(root, 'ca.key'), certificate: join(root, 'ca.crt') };
openssl('genpkey', '-algorithm', 'EC', ...curve, '-out', authority.key);
openssl('req', '-x509', '-new', '-key', authority.key, '-subj', '/CN=authority', '-out', authority.certificate);

/** Replaces the server: signs the request for the given number of days, returns a text, or fails midway. */
const curl = `#!/bin/sh
printf '%s\\n' "$@" >"$FAKE/arguments"
answer() {
  case $ANSWER in
    fail) printf 'half an ans'; return 22 ;;
    text:*) printf %s "\${ANSWER#text:}" ;;
    *)
      openssl x509 -req -in "$request" -CA ${authority.certificate} -CAkey ${authority.key} -CAcreateserial \\
        -days "$ANSWER" 2>/dev/null
      ;;
  esac
}
case $* in *--config*) ;; *) answer; exit ;; esac
sed 's/ = "\\(.*\\)"$/ \\1/' | tee -a "$FAKE/arguments" | while read -r option value; do
  case $option in
    data-binary) request=\${value#@} ;;
    # One certificate that the server refuses.
    output) [ "$ANSWER/\${value##*/}" = 30/lost.crt.new ] || answer >"$value" ;;
  esac
done
`;

let folder = '';
let pki = '';

/** A separate node: the scripts with their paths moved into a folder, and a fake curl. */
beforeEach(() => {
  folder = mkdtempSync(join(root, 'node-'));
  pki = join(folder, 'etc/nova/pki');
  mkdirSync(pki, { recursive: true });
  mkdirSync(join(folder, 'bin'));
  program('bin/curl', curl);
  for (const [name, text] of Object.entries(scripts))
    program(name, text.replaceAll(/\/(etc\/nova|etc\/ssl|var\/lib\/kubelet)/g, join(folder, '$1')));
  writeFileSync(
    join(folder, 'etc/nova/agent.conf'),
    'server=https://config.nova.internal:8140\nname=demo-main-1\nssl=/var/lib/puppet/ssl\ninterval=1800\n',
  );
  const resources = certificates(nodeInput());
  writeFileSync(join(pki, 'etcd-peer.request'), contentOf({ resources }, '/etc/nova/pki/etcd-peer.request'));
});

function program(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
}

/** Runs a script with this response of the server. Returns whether it succeeded. */
function run(script: keyof typeof scripts, answer: string, ...args: string[]): boolean {
  const { status, error } = spawnSync(join(folder, script), args, {
    env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, FAKE: folder, ANSWER: answer },
  });
  if (error) throw error;
  return status === 0;
}

const obtain = (answer = '30') => run('certificateScript', answer, 'obtain', 'etcd-peer');
const check = (seconds = 864_000) => run('certificateScript', 'fail', 'check', 'etcd-peer', String(seconds));
const path = (suffix: string) => join(pki, `etcd-peer.${suffix}`);
const read = (suffix: string) => readFileSync(path(suffix), 'utf8');
const mode = (file: string) => (statSync(file).mode & 0o777).toString(8);
const asked = () => readFileSync(join(folder, 'arguments'), 'utf8').trimEnd().split('\n');

test.for(Object.entries(scripts))('%s is a valid sh script', ([name]) => {
  const { status, stderr } = spawnSync('sh', ['-n', join(folder, name)], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(scripts[name as keyof typeof scripts]).toMatch(/^#!\/bin\/sh\n/);
});

describe('agent', () => {
  /** Returns an order, keeps the uploaded log, and deletes the script, which ends it. */
  const server = `#!/bin/sh
for last; do :; done
case $last in
  */order\\?*) printf %s "$ANSWER" ;;
  */log)
    cat >"$FAKE/log"
    printf '%s\\n' "$@" >"$FAKE/arguments"
    rm "$FAKE/agentScript"
    ;;
esac
`;
  /** Prints lines that a careless shell would change, on both outputs. */
  const puppet = `#!/bin/sh
printf '%s\\n' "$@" >"$FAKE/options"
printf '%s\\n' '  Notice: 100% \\n \\\\ $HOME \`id\`' '' '-n'
echo 'Error: it broke	' >&2
exit 4
`;
  const log = ['  Notice: 100% \\n \\\\ $HOME `id`', '', '-n', 'Error: it broke\t', 'exit 4', ''];

  function obey(order: string) {
    program('bin/curl', server);
    program('bin/puppet', puppet);
    const ssl = join(folder, 'ssl');
    mkdirSync(join(ssl, 'certs'), { recursive: true });
    writeFileSync(join(ssl, 'certs/demo-main-1.pem'), 'enrolled');
    writeFileSync(
      join(folder, 'etc/nova/agent.conf'),
      `server=https://config.nova.internal:8140\nname=demo-main-1\nssl=${ssl}\ninterval=1800\n`,
    );
    return spawnSync(join(folder, 'agentScript'), {
      encoding: 'utf8',
      timeout: 10_000,
      env: {
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        FAKE: folder,
        ANSWER: order,
        // No periodic run is due while the test runs.
        NOVA_DUE: String(2 ** 40),
      },
    });
  }

  test.for([
    ['run', false],
    ['noop', true],
  ] as const)(
    'the log of a %s goes to the server and to the journal, line by line and unchanged',
    ([order, isNoop]) => {
      const { stdout, stderr } = obey(`${order} 7`);
      expect(readFileSync(join(folder, 'log'), 'utf8').split('\n')).toEqual(log);
      // After that, the shell fails to find its script.
      expect(stderr.split('\n').slice(0, log.length - 1)).toEqual(log.slice(0, -1));
      expect(stdout).toBe('');
      expect(asked().at(-1)).toBe('https://config.nova.internal:8140/nova/v1/nodes/demo-main-1/orders/7/log');
      expect(asked()).toEqual(expect.arrayContaining(['--no-buffer', '--upload-file', '-']));
      const options = readFileSync(join(folder, 'options'), 'utf8').split('\n');
      expect(options).toEqual(expect.arrayContaining(['agent', '--onetime', '--detailed-exitcodes']));
      expect(options.includes('--noop')).toBe(isNoop);
    },
  );
});

describe('identity', () => {
  const ssl = () => join(folder, 'ssl');
  const identity = () => join(ssl(), 'certs/demo-main-1.pem');
  const renew = (answer: string, seconds = 600) => run('identityScript', answer, String(seconds));
  const certificate = (days: number) =>
    openssl('req', '-x509', '-new', '-key', authority.key, '-subj', '/CN=demo-main-1', '-days', String(days));

  beforeEach(() => {
    mkdirSync(join(ssl(), 'certs'), { recursive: true });
    writeFileSync(
      join(folder, 'etc/nova/agent.conf'),
      `server=https://config.nova.internal:8140\nname=demo-main-1\nssl=${ssl()}\ninterval=1800\n`,
    );
  });

  test('is renewed with itself when it expires soon; until then no request is sent', () => {
    writeFileSync(identity(), certificate(1));
    const next = certificate(3);
    expect(renew(`text:${next}`)).toBe(true);
    expect(existsSync(join(folder, 'arguments'))).toBe(false);
    expect(renew(`text:${next}`, 2 * 86_400)).toBe(true);
    expect(readFileSync(identity(), 'utf8')).toBe(next);
    expect(mode(identity())).toBe('644');
    const args = asked();
    expect(args[args.indexOf('--cert') + 1]).toBe(identity());
    expect(args).toEqual(expect.arrayContaining(['--fail', 'POST']));
    expect(args.at(-1)).toBe('https://config.nova.internal:8140/puppet-ca/v1/certificate_renewal');
  });

  test.for(['fail', 'text:', 'text:<html>sign in</html>'])('stays unchanged if the server responds %j', (answer) => {
    const before = certificate(1);
    writeFileSync(identity(), before);
    expect(renew(answer, 2 * 86_400)).toBe(false);
    expect(readFileSync(identity(), 'utf8')).toBe(before);
    expect(readdirSync(join(ssl(), 'certs'))).toEqual(['demo-main-1.pem']);
  });
});

describe('certificate', () => {
  test('is obtained with a key that only root can read, and leaves no temporary files', () => {
    expect(check()).toBe(false);
    expect(obtain()).toBe(true);
    expect(check()).toBe(true);
    expect(mode(path('key'))).toBe('600');
    expect(mode(path('crt'))).toBe('644');
    expect(readdirSync(pki).sort()).toEqual(['etcd-peer.crt', 'etcd-peer.key', 'etcd-peer.request']);
    expect(openssl('x509', '-in', path('crt'), '-noout', '-pubkey')).toBe(
      openssl('pkey', '-in', path('key'), '-pubout'),
    );
    expect(openssl('x509', '-in', path('crt'), '-noout', '-subject')).toContain('CN = demo-main-1');
    expect(openssl('verify', '-CAfile', authority.certificate, path('crt'))).toMatch(/: OK\n$/);
  });

  test('is requested with the node’s identity from the configured manager', () => {
    obtain();
    expect(asked()).toEqual([
      '--silent',
      '--show-error',
      '--config',
      '-',
      '',
      'url https://config.nova.internal:8140/nova/v1/nodes/demo-main-1/certificates/etcd-peer',
      'cacert /var/lib/puppet/ssl/certs/ca.pem',
      'cert /var/lib/puppet/ssl/certs/demo-main-1.pem',
      'key /var/lib/puppet/ssl/private_keys/demo-main-1.pem',
      'connect-timeout = 10',
      'max-time = 30',
      'fail',
      'header Content-Type: text/plain',
      `data-binary @${path('csr.new')}`,
      `output ${path('crt.new')}`,
    ]);
  });

  test('is insufficient if it expires too soon', () => {
    obtain('2');
    expect(check(86_400)).toBe(true);
    expect(check(3 * 86_400)).toBe(false);
  });

  test('is outdated after its request changes, until it is obtained again', () => {
    obtain();
    const before = statSync(path('crt')).mtime;
    utimesSync(path('request'), before, new Date(before.getTime() + 2000));
    expect(check()).toBe(false);
    utimesSync(path('request'), before, new Date(before.getTime() - 2000));
    expect(check()).toBe(true);
  });

  test.for(['crt', 'key'])('is missing if its %s is missing or empty', (suffix) => {
    obtain();
    writeFileSync(path(suffix), '');
    expect(check()).toBe(false);
    rmSync(path(suffix));
    expect(check()).toBe(false);
    expect(obtain()).toBe(true);
    expect(check()).toBe(true);
  });

  test('is missing if the file is not a certificate', () => {
    obtain();
    writeFileSync(path('crt'), 'not a certificate');
    expect(check()).toBe(false);
  });

  test('keeps its key on renewal', () => {
    obtain();
    const [key, certificate] = [read('key'), read('crt')];
    expect(obtain()).toBe(true);
    expect(read('key')).toBe(key);
    expect(read('crt')).not.toBe(certificate);
  });

  test.for([
    ['fails midway', 'fail'],
    ['returns nothing', 'text:'],
    ['returns a part', 'text:-----BEGIN CERTIFICATE-----\nMIIB'],
    ['returns something else', 'text:<html>sign in</html>'],
  ] as const)('stays unchanged without temporary files if the server %s', ([, answer]) => {
    obtain();
    const before = [read('crt'), read('key'), statSync(path('crt')).mtimeMs];
    expect(obtain(answer)).toBe(false);
    expect([read('crt'), read('key'), statSync(path('crt')).mtimeMs]).toEqual(before);
    expect(readdirSync(pki).filter((name) => name.endsWith('.new'))).toEqual([]);
    expect(check()).toBe(true);
  });

  test('is not requested if openssl cannot read its configuration', () => {
    writeFileSync(path('request'), 'nonsense');
    expect(obtain()).toBe(false);
    expect(existsSync(join(folder, 'arguments'))).toBe(false);
    expect(readdirSync(pki)).toEqual(['etcd-peer.request']);
  });

  test('is obtained together with others; those that fail are printed', () => {
    for (const name of ['etcd-server', 'lost']) copyFileSync(path('request'), join(pki, `${name}.request`));
    const { stdout, status } = spawnSync(
      join(folder, 'certificateScript'),
      ['obtain', 'etcd-peer', 'lost', 'etcd-server'],
      { encoding: 'utf8', env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, FAKE: folder, ANSWER: '30' } },
    );
    expect([stdout, status]).toEqual(['lost\n', 1]);
    expect(readdirSync(pki).filter((name) => name.endsWith('.crt'))).toEqual(['etcd-peer.crt', 'etcd-server.crt']);
    expect(asked().filter((line) => line === 'next')).toHaveLength(2);
  });

  test('does not affect another certificate with the same prefix', () => {
    writeFileSync(join(pki, 'etcd-peer-2.crt.new'), 'of another');
    obtain();
    expect(existsSync(join(pki, 'etcd-peer-2.crt.new'))).toBe(true);
  });
});

describe('shared key', () => {
  const fetchKey = (answer: string) =>
    run('sharedKeyScript', answer, 'service-account', join(pki, 'service-account.key'));

  test('is fetched completely and only root can read it', () => {
    expect(fetchKey('text:the key')).toBe(true);
    expect(readFileSync(join(pki, 'service-account.key'), 'utf8')).toBe('the key');
    expect(mode(join(pki, 'service-account.key'))).toBe('600');
    expect(asked().at(-1)).toBe('https://config.nova.internal:8140/nova/v1/nodes/demo-main-1/keys/service-account');
    expect(readdirSync(pki).sort()).toEqual(['etcd-peer.request', 'service-account.key']);
  });

  test.for(['fail', 'text:'])('is not written if the server responds %j', (answer) => {
    expect(fetchKey(answer)).toBe(false);
    expect(readdirSync(pki)).toEqual(['etcd-peer.request']);
  });
});

test('the node trusts the configured CAs in addition to the existing ones, until they are removed', () => {
  const certs = join(folder, 'etc/ssl/certs');
  mkdirSync(certs, { recursive: true });
  writeFileSync(join(certs, 'Company.pem'), readFileSync(authority.certificate));
  const own = join(folder, 'nova.crt');
  openssl('req', '-x509', '-new', '-key', authority.key, '-subj', '/CN=nova', '-out', own);
  const isTrusted = (certificate: string) =>
    spawnSync('openssl', ['verify', '-CApath', certs, certificate]).status === 0 &&
    readFileSync(join(certs, 'ca-certificates.crt'), 'utf8').includes(readFileSync(certificate, 'utf8'));

  const isSo = () => run('trustScript', '', 'check', own, join(folder, 'absent.crt'));
  expect(isSo()).toBe(false);
  expect(run('trustScript', '', own, join(folder, 'absent.crt'))).toBe(true);
  expect([isTrusted(own), isTrusted(authority.certificate)]).toEqual([true, true]);
  expect(isSo()).toBe(true);
  // The certificate changed after the last update.
  const later = Date.now() / 1000 + 10;
  utimesSync(own, later, later);
  expect(isSo()).toBe(false);
  expect(run('trustScript', '', own, join(folder, 'absent.crt'))).toBe(true);
  const kept = join(folder, 'kept.crt');
  writeFileSync(kept, readFileSync(own));
  rmSync(own);
  expect(isSo()).toBe(false);
  expect(run('trustScript', '', own)).toBe(true);
  expect(isSo()).toBe(true);
  expect([isTrusted(kept), isTrusted(authority.certificate)]).toEqual([false, true]);
});

describe('a service with outdated files', () => {
  const now = Math.floor(Date.now() / 1000);
  /** Reports the units of the test and records other commands. */
  const systemctl = `#!/bin/sh
[ "$1" = show ] && exec cat "$FAKE/units"
echo "$@" >>"$FAKE/done"
`;
  interface Unit {
    state?: string;
    started?: number;
    reload?: 'yes' | 'no';
    /** When its file was last changed. */
    changed?: number;
  }

  function restarted(units: Record<string, Unit>) {
    program('bin/systemctl', systemctl);
    const file = (name: string) => join(folder, `${name}.conf`);
    const names = Object.keys(units);
    for (const [name, { changed }] of Object.entries(units)) {
      if (changed === undefined) continue;
      writeFileSync(file(name), '');
      utimesSync(file(name), changed, changed);
    }
    writeFileSync(
      join(folder, 'units'),
      Object.entries(units)
        .flatMap(([name, { state = 'active', started = now - 100, reload = 'no' }]) => [
          `Id=${name}`,
          `ActiveState=${state}`,
          `ActiveEnterTimestamp=@${started}`,
          `NeedDaemonReload=${reload}`,
          '',
        ])
        .join('\n'),
    );
    writeFileSync(
      join(folder, 'etc/nova/restarts.list'),
      names.map((name) => `${name} ${file(name)} ${folder}/none\n`).join(''),
    );
    if (run('restartsScript', '', 'check')) return '';
    expect(run('restartsScript', '', 'do')).toBe(true);
    return readFileSync(join(folder, 'done'), 'utf8');
  }

  test('is restarted, also if systemd has not reloaded its unit', () => {
    const units = {
      'older.service': { changed: now - 200 },
      'newer.service': { changed: now - 50 },
      'unread.service': { changed: now - 200, reload: 'yes' as const },
      'late.timer': { changed: now - 99 },
    };
    expect(restarted(units)).toBe('daemon-reload\nrestart newer.service unread.service late.timer\n');
  });

  test.for<[string, Unit]>([
    ['was started in the same second', { changed: now - 100 }],
    ['has files with a future timestamp', { changed: now + 1000 }],
    ['has no files', {}],
    ['does not run and will start with the new files', { state: 'activating', changed: now - 50 }],
  ])('is not restarted if it %s', ([, unit]) => {
    expect(restarted({ 'one.service': unit })).toBe('');
  });
});

describe('a program that needs the API', () => {
  const api = 'https://127.0.0.1:6443';
  /** Prints the status of each request to a starting API: refused, not ready and, if it is still awaited, ready. */
  const starting = `#!/bin/sh
printf '%s\\n' "$*" >"$FAKE/asked"
echo 000 >&2
echo 500 >&2
[ "$ANSWER" = ready ] || exec sleep 60
sleep 0.3
touch "$FAKE/is-ready"
echo 200 >&2
exec sleep 60
`;
  const kubelet = `#!/bin/sh
printf '%s\\n' "$@" >"$FAKE/flags"
[ ! -e "$FAKE/is-ready" ] || touch "$FAKE/started-when-ready"
`;

  test.for(['answers', 'ready'] as const)('that waits for the state "%s" starts then, with its own flags', (state) => {
    program('bin/curl', starting);
    program('bin/kubelet', kubelet);
    expect(run('whenApiScript', state, state, api, 'kubelet-client', 'kubelet', '--a=b c', '--fail')).toBe(true);
    const asked = readFileSync(join(folder, 'asked'), 'utf8');
    expect(asked).toContain(`--cert ${pki}/kubelet-client.crt --key ${pki}/kubelet-client.key ${api}/readyz?[1-`);
    expect(readFileSync(join(folder, 'flags'), 'utf8')).toBe('--a=b c\n--fail\n');
    expect(existsSync(join(folder, 'started-when-ready'))).toBe(state === 'ready');
  });

  test('starts anyway after a minute without the API', () => {
    program('bin/curl', '#!/bin/sh\necho 000 >&2\necho 500 >&2\nexec sleep 60\n');
    // The minute is over after a second.
    const { stdout } = spawnSync('which', ['timeout'], { encoding: 'utf8' });
    program('bin/timeout', `#!/bin/sh\necho "$1" >"$FAKE/patience"\nshift\nexec ${stdout.trim()} 1 "$@"\n`);
    program('bin/kubelet', kubelet);
    expect(run('whenApiScript', '', 'ready', api, 'kubelet-client', 'kubelet')).toBe(true);
    expect(readFileSync(join(folder, 'patience'), 'utf8')).toBe('60\n');
    expect(existsSync(join(folder, 'flags'))).toBe(true);
  });
});

describe('the kubelet', () => {
  const metric = 'kubeproxy_sync_proxy_rules_last_timestamp_seconds{ip_family="IPv4"}';
  /** Prints the metrics of a kube-proxy that has written its rules at the third request. */
  const kubeProxy = `#!/bin/sh
echo asked >>"$FAKE/requests"
[ "$(grep -c . "$FAKE/requests")" -ge 3 ] && echo '${metric} 1.79e+09' || echo '${metric} 0'
`;
  const requests = () => (existsSync(join(folder, 'requests')) ? readFileSync(join(folder, 'requests'), 'utf8') : '');

  beforeEach(() => {
    program('bin/curl', kubeProxy);
    program('bin/kubelet', '#!/bin/sh\nprintf "%s\\n" "$@" >"$FAKE/flags"\n');
  });

  test('of a restarted node waits for the rules of services', () => {
    mkdirSync(join(folder, 'var/lib/kubelet/pods'), { recursive: true });
    expect(run('whenServicesScript', '', 'kubelet', '--a=b c')).toBe(true);
    expect(requests()).toBe('asked\n'.repeat(3));
    expect(readFileSync(join(folder, 'flags'), 'utf8')).toBe('--a=b c\n');
  });

  test('of a new node starts at once', () => {
    expect(run('whenServicesScript', '', 'kubelet', '--a')).toBe(true);
    expect(requests()).toBe('');
    expect(readFileSync(join(folder, 'flags'), 'utf8')).toBe('--a\n');
  });
});
