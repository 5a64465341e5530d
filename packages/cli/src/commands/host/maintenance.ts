import type { HostMaintenance } from '@nova-platform/contracts/engine';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { Output } from '../../output.ts';
import { promptsOf } from '../../prompts.ts';
import { table } from '../../tree.ts';

export interface EnterFlags {
  yes?: boolean;
  output: Output;
}

export const enter = command<EnterFlags, []>(async function ({ yes = false, output }) {
  const { io, t, style } = this;
  const running = (await engineClient.machines()).filter(({ state }) => state === 'running');
  const preview = [
    t({ en: 'Maintenance of this host stops these machines:', ru: 'Обслуживание хоста остановит эти машины:' }),
    '',
    ...table(running.map(({ name, network = '—' }) => [`  ${name}`, network])),
    '',
    t({
      en: `Until it ends, no machine can be created or started, and Universe is unreachable. Afterwards these machines
start again.`,
      ru: `До его конца машины нельзя ни создавать, ни запускать, а Universe недоступен. Затем эти машины
запустятся снова.`,
    }),
  ].join('\n');
  if (running.length > 0 && !yes) {
    const prompts = await promptsOf(this, output);
    const data = { isOn: false, stops: running.map(({ name }) => name) };
    const how = t({
      en: 'Nothing was changed. Run the command with --yes to stop them.',
      ru: 'Ничего не изменено. Чтобы остановить их, добавьте --yes.',
    });
    if (!prompts) return { data, text: `${preview}\n\n${how}` };
    io.stderr.write(`${preview}\n\n`);
    if (!(await prompts.yes(t({ en: 'Stop these machines?', ru: 'Остановить эти машины?' }))))
      return { data, text: t({ en: 'Nothing was changed.', ru: 'Ничего не изменено.' }) };
  }
  await engineClient.changeMaintenance(true);
  const { maintenance } = await engineClient.host();
  return { data: stateOf(maintenance), text: `${style.green('✓')} ${stateText(this, maintenance)}` };
});

export async function leave(this: Context): Promise<Result> {
  const { maintenance } = await engineClient.host();
  await engineClient.changeMaintenance(false);
  const count = maintenance?.machines.length ?? 0;
  return {
    data: { isOn: false, started: maintenance?.machines ?? [] },
    text: `${this.style.green('✓')} ${this.t({
      en: `The host is not in maintenance. Machines started: ${count}.`,
      ru: `Хост не на обслуживании. Запущено машин: ${count}.`,
    })}`,
  };
}

export async function status(this: Context): Promise<Result> {
  const { maintenance } = await engineClient.host();
  return { data: stateOf(maintenance), text: stateText(this, maintenance) };
}

function stateOf(maintenance: HostMaintenance | undefined) {
  return { isOn: maintenance !== undefined, ...maintenance };
}

function stateText({ t }: Context, maintenance: HostMaintenance | undefined): string {
  if (!maintenance) return t({ en: 'The host is not in maintenance.', ru: 'Хост не на обслуживании.' });
  const { since, machines } = maintenance;
  const names = machines.join(', ') || t({ en: 'none', ru: 'нет' });
  return t({
    en: `The host is in maintenance since ${since}. Machines that start when it ends: ${names}.\n\n  nova-ctl host maintenance leave`,
    ru: `Хост на обслуживании с ${since}. Машины, которые запустятся по его окончании: ${names}.\n\n  nova-ctl host maintenance leave`,
  });
}
