import { hostname } from 'node:os';
import { formatted } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { firstClusterName, keptSite, type Login, type Session, upSteps } from '@nova-platform/installer';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { saveContext } from '../../contexts.ts';
import { badValue } from '../../failure.ts';
import type { Io } from '../../io.ts';
import type { Output } from '../../output.ts';
import { release } from '../../release.ts';
import { assertRoot } from '../../root.ts';
import { imagesOf } from '../../services.ts';
import { givenAddresses, namingOptions, type SiteFlags } from '../../site.ts';
import { runSteps } from '../../steps.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';
import { lifetime } from '../../values.ts';
import { loginLink, loginLinkNote } from '../console/run.ts';

export interface UpFlags extends SiteFlags {
  nameServer?: readonly string[];
  certificateLifetime?: string;
  cluster: boolean;
  output: Output;
}

export const up = command<UpFlags, []>(async function ({ nameServer, certificateLifetime, cluster, ...flags }) {
  assertRoot();
  for (const address of nameServer ?? []) {
    if (!formatted('address').safeParse(address).success)
      throw badValue('--name-server', {
        en: 'an IPv4 address such as 172.30.0.1',
        ru: 'адрес IPv4, например 172.30.0.1',
      });
  }
  const certificateHours = certificateLifetime === undefined ? undefined : hoursOf(certificateLifetime);
  let login: Login | undefined;
  await using steps = upSteps({
    release,
    addresses: givenAddresses(flags),
    settings: {
      ...(nameServer && { nameServers: nameServer }),
      ...(certificateHours !== undefined && { certificateHours }),
    },
    withFirstCluster: cluster,
    session: sessionIn(this.io, (made) => {
      login = made;
    }),
    universe: () => universeOf(this.io).client,
    registry: () => imagesOf(this.io),
  });
  const changed = await namingOptions(() => runSteps(this, steps.first));
  const server = `https://${(await keptSite()).universe.externalAddress}`;
  const { client } = universeOf(this.io);
  const { fingerprint } = await client.authority({});
  const { code, user } = await client.createLoginLink({ body: {} });
  const link = loginLink(server, code);
  const access = {
    user,
    isNew: login !== undefined,
    ...(login?.password !== undefined && { password: login.password }),
  };
  const ready = readyText(this, { server, fingerprint, link, access, cluster });
  // The cluster can be used while its modules are still being built.
  const isWaiting = changed.length > 0 && steps.modules.length > 0;
  if (isWaiting) this.io.stderr.write(`${ready}\n\n`);
  changed.push(...(await runSteps(this, steps.modules)));
  return {
    data: { server, fingerprint, link, changed, machines: (await engineClient.machines()).length, ...access },
    text: isWaiting ? `${this.style.green('✓')} ${this.t(modulesReady)}` : ready,
  };
});

const modulesReady = {
  en: `All modules of ${firstClusterName} are installed.`,
  ru: `Все модули ${firstClusterName} установлены.`,
};

/** The session of this user, stored in the context `local`. */
function sessionIn(io: Io, onLogin: (login: Login) => void): Session {
  return {
    isAdmin: async (expected) => {
      try {
        const { client, server } = universeOf(io);
        return server === expected && (await client.whoami({})).role === 'admin';
      } catch {
        return false;
      }
    },
    save: (login) => {
      const { server, authority, token, user } = login;
      saveContext(io, 'local', { server, authority, token, user }, { makeCurrent: true });
      onLogin(login);
    },
  };
}

interface Access {
  user: string;
  /** Set only if the user was created just now. */
  password?: string;
}

/** A shorter lifetime would leave no time for renewal. */
function hoursOf(text: string): number {
  const seconds = lifetime('--certificate-lifetime', text, 3650);
  if (seconds >= 180) return seconds / 3600;
  throw badValue('--certificate-lifetime', { en: 'a time of at least 3m', ru: 'время не меньше 3m' });
}

function readyText(
  { t, style }: Context,
  {
    server,
    fingerprint,
    link,
    access,
    cluster,
  }: { server: string; fingerprint: string; link: string; access: Access; cluster: boolean },
): string {
  const facts = table([
    [t({ en: 'address', ru: 'адрес' }), style.bold(server)],
    [t({ en: 'CA fingerprint', ru: 'отпечаток CA' }), fingerprint],
    [t({ en: 'user', ru: 'пользователь' }), access.user],
    ...(access.password === undefined
      ? []
      : [
          [
            t({ en: 'password', ru: 'пароль' }),
            `${style.bold(access.password)}  ${style.dim(t({ en: 'shown only now', ru: 'показан только сейчас' }))}`,
          ],
        ]),
  ]);
  const browser = [
    `  ${t({ en: 'In a browser', ru: 'В браузере' })}: ${style.dim(t(loginLinkNote))}`,
    `  ${style.bold(link)}`,
  ];
  const next = table([
    ...(cluster
      ? [
          [
            `nova-ctl kubeconfig ${firstClusterName} --merge`,
            style.dim(t({ en: 'then: kubectl get nodes', ru: 'затем: kubectl get nodes' })),
          ],
          [
            `nova-ctl status ${firstClusterName}`,
            style.dim(t({ en: 'show the state of the cluster', ru: 'показать состояние кластера' })),
          ],
        ]
      : []),
    ['nova-ctl status', style.dim(t({ en: 'show the state of Universe', ru: 'показать состояние Universe' }))],
    ['nova-ctl init', style.dim(t({ en: 'write the manifest of a cluster', ru: 'создать манифест кластера' }))],
    ['nova-ctl user create NAME --role operator', style.dim(t({ en: 'add a user', ru: 'добавить пользователя' }))],
    [
      'nova-ctl down',
      style.dim(
        t({ en: 'stop everything; nova-ctl up starts it again', ru: 'остановить всё; nova-ctl up запустит снова' }),
      ),
    ],
  ]);
  return [
    '',
    `${style.green('✓')} ${t({ en: 'Universe is ready.', ru: 'Universe готов.' })}`,
    '',
    ...facts.map((line) => `  ${line}`),
    '',
    ...browser,
    '',
    ...next.map((line) => `  ${line}`),
    '',
    // The network of the site ends at this host.
    `  ${t({ en: 'From another host, through a tunnel', ru: 'С другого хоста, через туннель' })}:`,
    `  ssh -N -L 8443:${new URL(server).hostname}:443 root@${hostname()}`,
    `  nova-ctl login https://127.0.0.1:8443 --fingerprint ${fingerprint}`,
  ].join('\n');
}
