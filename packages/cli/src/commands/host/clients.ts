import { engineClient } from '@nova-platform/contracts/engine/client';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { table } from '../../tree.ts';

export async function list(this: Context): Promise<Result> {
  const { t } = this;
  const clients = await engineClient.clients();
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'SERIAL', ru: 'СЕРИЙНЫЙ НОМЕР' }),
    t({ en: 'ISSUED', ru: 'ВЫДАН' }),
    t({ en: 'EXPIRES', ru: 'ИСТЕКАЕТ' }),
  ];
  const rows = clients.map(({ name, serial, issuedAt, notAfter }) => [name, serial, issuedAt, notAfter]);
  return { data: clients, text: table([head, ...rows]).join('\n') };
}

export async function revoke(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  const { t, style } = this;
  await engineClient.revokeClient(name);
  return {
    data: { revoked: name },
    text: [
      `${style.green('✓')} ${t({ en: `The certificates of ${name} are revoked and its connections are closed.`, ru: `Сертификаты клиента ${name} отозваны, его соединения закрыты.` })}`,
      '',
      t({
        en: `\`nova-ctl up\` issues a new one to Universe. If the key of Universe was stolen, first remove
/var/lib/nova/universe/engine in its machine.`,
        ru: `Новый сертификат для Universe выпускает \`nova-ctl up\`. Если ключ Universe украден, сначала удалите
/var/lib/nova/universe/engine на его машине.`,
      }),
    ].join('\n'),
  };
}
