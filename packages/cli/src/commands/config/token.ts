import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import type { Token } from '@nova-platform/contracts/config-manager/client';
import { stringify } from 'yaml';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { Output } from '../../output.ts';
import { configOf } from '../../services.ts';
import { clock } from '../../time.ts';
import { table } from '../../tree.ts';
import { lifetime } from '../../values.ts';
import { writeFileSafely } from '../../write.ts';

export interface TokenFlags {
  node: string;
  ttl: string;
  cloudConfig?: string;
  output: Output;
}

const longestDays = 30;

export const createToken = command<TokenFlags, []>(async function ({ node, ttl, cloudConfig: file }) {
  const { io } = this;
  const lifetimeSeconds = lifetime('--ttl', ttl, longestDays);
  // Check before the token is created: otherwise it could not be saved.
  if (file !== undefined && existsSync(resolve(io.cwd, file))) throw new ProblemError(problem('NOVA6001', { file }));
  const { cloudConfig, ...token } = await configOf(io).createToken({
    body: { node, lifetimeSeconds },
  });
  if (file === undefined) return { data: { ...token, cloudConfig }, text: text(this, token) };
  const content = `#cloud-config\n${stringify(cloudConfig, { lineWidth: 0 })}`;
  writeFileSafely(io, file, content, { mode: 0o600, mayOverwrite: false });
  return { data: { ...token, file }, text: text(this, token, file) };
});

type Shown = Omit<Token, 'cloudConfig'>;

function text(context: Context, token: Shown, file?: string): string {
  const { t, style } = context;
  const { node, server, fingerprint, isPlanned } = token;
  const facts = table([
    [t({ en: 'token', ru: 'токен' }), token.token],
    [t({ en: 'valid until', ru: 'действует до' }), clock(token.expiresAt)],
    [t({ en: 'server', ru: 'сервер' }), server],
    [t({ en: 'CA fingerprint', ru: 'отпечаток CA' }), fingerprint],
  ]);
  const warning = t({
    en: `No approved plan contains ${node}: it can enrol, but gets no catalog until one is approved (nova-ctl config apply).`,
    ru: `Узла ${node} нет ни в одном утверждённом плане: он зарегистрируется, но каталог получит только после утверждения (nova-ctl config apply).`,
  });
  return [
    `${style.green('✓')} ${t({ en: `Token for ${node}. It works once and is shown only now.`, ru: `Токен для ${node}. Он одноразовый и показан только сейчас.` })}`,
    '',
    ...facts.map((line) => `  ${line}`),
    '',
    ...(isPlanned ? [] : [`${style.yellow('!')} ${warning}`, '']),
    ...usage(context, token, file),
  ].join('\n');
}

function usage({ t, style }: Context, { node, token }: Shown, file: string | undefined): string[] {
  const network = t({ en: 'NETWORK', ru: 'СЕТЬ' });
  if (file !== undefined) {
    return [
      t({
        en: `${file} is written. It contains the token: keep it secret. A machine that boots with it enrols itself:`,
        ru: `Файл ${file} записан. В нём токен: храните его в секрете. Машина, запущенная с ним, зарегистрируется сама:`,
      }),
      '',
      `  nova-ctl machine create ${node} --image kubernetes-node --network ${network} --cloud-config ${file}`,
    ];
  }
  return [
    t({
      en: 'For a new machine: write a #cloud-config and boot the machine with it.',
      ru: 'Для новой машины: запишите #cloud-config и запустите машину с ним.',
    }),
    '',
    `  nova-ctl config token create --node ${node} --cloud-config ${node}.yaml`,
    `  nova-ctl machine create ${node} --image kubernetes-node --network ${network} --cloud-config ${node}.yaml`,
    '',
    t({
      en: 'For a machine whose agent has lost its certificate: put the token into this file.',
      ru: 'Для машины, агент которой потерял сертификат: запишите токен в этот файл.',
    }),
    '',
    ...['# /etc/puppet/csr_attributes.yaml, 0600', 'custom_attributes:', `  1.2.840.113549.1.9.7: ${token}`].map(
      (line) => style.dim(`  ${line}`),
    ),
  ];
}
