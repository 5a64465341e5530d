import { formatted } from '@nova-platform/api';
import { engineClient } from '@nova-platform/engine';
import { defaultSite } from '@nova-platform/plan';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { badValue } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { demandRoot } from '../../root.ts';
import { imagesOf } from '../../services.ts';
import { runSteps } from '../../steps.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';
import { lifetime } from '../../values.ts';
import { loginLink, loginLinkNote } from '../console/run.ts';
import { type Access, logIn } from './access.ts';
import { firstCluster, firstClusterName } from './first-cluster.ts';
import {
  builtComponents,
  builtImage,
  components,
  engineKnowsUniverse,
  host,
  importedImages,
  importedRelease,
  machine,
  readyServices,
  settings,
} from './steps.ts';

export interface UpFlags {
  nameServer?: readonly string[];
  certificateLifetime?: string;
  cluster: boolean;
  output: Output;
}

export const up = command<UpFlags, []>(async function ({ nameServer, certificateLifetime, cluster }) {
  demandRoot();
  for (const address of nameServer ?? []) {
    if (!formatted('address').safeParse(address).success)
      throw badValue('--name-server', {
        en: 'an IPv4 address such as 10.0.0.53',
        ru: 'адрес IPv4, например 10.0.0.53',
      });
  }
  const certificateHours = certificateLifetime === undefined ? undefined : hoursOf(certificateLifetime);
  let access: Access | undefined;
  const changed = await runSteps(this, [
    host,
    builtComponents(
      { en: 'programs of Universe, from source', ru: 'программы Universe, из исходников' },
      components.universe,
      this.t,
    ),
    builtImage('universe'),
    machine,
    {
      title: { en: 'access', ru: 'доступ' },
      run: async () => {
        access = await logIn(this.io);
        return access.isNew;
      },
    },
    engineKnowsUniverse(() => universeOf(this.io).client),
    settings({
      ...(nameServer && { nameServers: nameServer }),
      ...(certificateHours !== undefined && { certificateHours }),
    }),
    readyServices(() => universeOf(this.io).client),
    ...(cluster
      ? [
          builtComponents(
            { en: 'programs of clusters, from source', ru: 'программы кластеров, из исходников' },
            [...components.nodes, ...components.images],
            this.t,
          ),
          builtImage('kubernetes-node'),
          importedImages(() => imagesOf(this.io), components.images),
          importedRelease(() => universeOf(this.io).client),
          firstCluster(() => universeOf(this.io).client, this.t),
        ]
      : []),
  ]);
  const server = `https://${defaultSite.universe.externalAddress}`;
  const { client } = universeOf(this.io);
  const { fingerprint } = await client.authority({});
  const link = loginLink(server, (await client.createLoginLink({ body: {} })).code);
  return {
    data: { server, fingerprint, link, changed, machines: (await engineClient.machines()).length, ...access },
    text: readyText(this, { server, fingerprint, link, access, cluster }),
  };
});

/** Less would leave no time to renew them in. */
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
  }: { server: string; fingerprint: string; link: string; access: Access | undefined; cluster: boolean },
): string {
  const facts = table([
    [t({ en: 'address', ru: 'адрес' }), style.bold(server)],
    [t({ en: 'CA fingerprint', ru: 'отпечаток CA' }), fingerprint],
    [t({ en: 'user', ru: 'пользователь' }), access?.user ?? ''],
    ...(access?.password === undefined
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
            style.dim(t({ en: 'then kubectl get nodes', ru: 'затем kubectl get nodes' })),
          ],
          [`nova-ctl status ${firstClusterName}`, style.dim(t({ en: 'how the cluster is', ru: 'состояние кластера' }))],
        ]
      : []),
    ['nova-ctl status', style.dim(t({ en: 'how everything is', ru: 'состояние всего' }))],
    ['nova-ctl init', style.dim(t({ en: 'write the manifest of a cluster', ru: 'создать манифест кластера' }))],
    [
      'nova-ctl user create NAME --role operator',
      style.dim(t({ en: 'let somebody else in', ru: 'пригласить других' })),
    ],
    ['nova-ctl down', style.dim(t({ en: 'stop it all; up goes on', ru: 'остановить всё; up продолжит' }))],
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
    `  ${t({ en: 'From elsewhere', ru: 'С другой машины' })}:`,
    `  nova-ctl login ${server} --fingerprint ${fingerprint}`,
  ].join('\n');
}
