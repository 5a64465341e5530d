import { engineClient } from '@nova-platform/contracts/engine/client';
import { ovirtClient } from '@nova-platform/contracts/ovirt/client';
import { disableOvirt, enableOvirt } from '@nova-platform/installer';
import { command, type Result } from '../../../command.ts';
import type { Context } from '../../../context.ts';
import type { Output } from '../../../output.ts';
import { promptsOf } from '../../../prompts.ts';
import { assertRoot } from '../../../root.ts';

export interface DisableFlags {
  purge?: boolean;
  yes?: boolean;
  output: Output;
}

type Health = Awaited<ReturnType<typeof ovirtClient.health>>;

const addUser = 'nova-ctl host ovirt user add admin@internal --role SuperUser';

export async function enable(this: Context): Promise<Result> {
  assertRoot();
  await enableOvirt();
  const health = await ovirtClient.health({});
  return { data: { isOn: true, ...health }, text: `${this.style.green('✓')} ${stateText(this, health)}` };
}

export const disable = command<DisableFlags, []>(async function ({ purge = false, yes = false, output }) {
  assertRoot();
  const { io, t, style } = this;
  if (purge && !yes) {
    const warning = t({
      en: 'All users of the oVirt-compatible API, their tokens and its other data will be removed.',
      ru: 'Будут удалены все пользователи API, совместимого с oVirt, их токены и прочие его данные.',
    });
    const prompts = await promptsOf(this, output);
    const how = t({
      en: 'Nothing was changed. Run the command with --yes to remove them.',
      ru: 'Ничего не изменено. Чтобы удалить их, добавьте --yes.',
    });
    if (!prompts) return { data: { isOn: await engineClient.isOvirtOn() }, text: `${warning}\n\n${how}` };
    io.stderr.write(`${warning}\n\n`);
    if (!(await prompts.yes(t({ en: 'Remove them?', ru: 'Удалить их?' }))))
      return {
        data: { isOn: await engineClient.isOvirtOn() },
        text: t({ en: 'Nothing was changed.', ru: 'Ничего не изменено.' }),
      };
  }
  await disableOvirt({ purge });
  const done = t({ en: 'The oVirt-compatible API is off.', ru: 'API, совместимый с oVirt, выключен.' });
  const gone = t({ en: ' Its data is removed.', ru: ' Его данные удалены.' });
  return { data: { isOn: false, purged: purge }, text: `${style.green('✓')} ${done}${purge ? gone : ''}` };
});

export async function status(this: Context): Promise<Result> {
  const { t } = this;
  if (!(await engineClient.isOvirtOn())) {
    const off = t({ en: 'The oVirt-compatible API is off.', ru: 'API, совместимый с oVirt, выключен.' });
    return { data: { isOn: false }, text: `${off}\n\n  nova-ctl host ovirt enable` };
  }
  const health = await ovirtClient.health({});
  return { data: { isOn: true, ...health }, text: stateText(this, health) };
}

function stateText({ t }: Context, { isServed, url, users }: Health): string {
  const api = `${url}/ovirt-engine/api`;
  const state = isServed
    ? t({ en: `The oVirt-compatible API is at ${api}`, ru: `API, совместимый с oVirt: ${api}` })
    : t({
        en: `The oVirt-compatible API waits for the engine before it serves ${api}`,
        ru: `API, совместимый с oVirt, ждёт движка, чтобы обслуживать ${api}`,
      });
  const ca = `curl -k '${url}/ovirt-engine/services/pki-resource?resource=ca-certificate&format=X509-PEM-CA' >ca.pem`;
  const lines = [`  ${ca}`, ...(users === 0 ? [`  ${addUser}`] : [])];
  const count = t({ en: `Users: ${users}`, ru: `Пользователей: ${users}` });
  return [`${state}\n${count}`, '', ...lines].join('\n');
}
