import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { configOf } from '../../services.ts';

export async function revoke(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  const { t, style, io } = this;
  await configOf(io).revokeNode({ params: { name } });
  const token = `nova-ctl config token create --node ${name}`;
  return {
    data: { revoked: name },
    text: [
      `${style.green('✓')} ${t({ en: `The certificates of ${name} are revoked: it gets nothing any more.`, ru: `Сертификаты узла ${name} отозваны: он больше ничего не получит.` })}`,
      '',
      t({
        en: 'To enrol it again, make a token, and on the node remove the old identity and put the token in its place:',
        ru: 'Чтобы зарегистрировать его снова, создайте токен, а на узле удалите прежние ключи и положите токен на место:',
      }),
      '',
      `  ${token}`,
      '  rm -r /var/lib/puppet/ssl',
    ].join('\n'),
  };
}
