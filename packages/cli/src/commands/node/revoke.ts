import type { Text } from '@nova-platform/api';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { configOf } from '../../services.ts';

export async function revoke(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  const { t, style, io } = this;
  const { denied, waiting, unable } = await configOf(io).revokeNode({ params: { name } });
  const token = `nova-ctl config token create --node ${name}`;
  return {
    data: { revoked: name, denied, waiting, unable },
    text: [
      `${style.green('✓')} ${t({ en: `The certificates of ${name} are revoked: it gets nothing any more.`, ru: `Сертификаты узла ${name} отозваны: он больше ничего не получит.` })}`,
      ...clusterLines(this, { denied, waiting, unable }),
      '',
      t({
        en: 'To enrol it again, make a token, and on the node remove the old identity and certificates and put the token in its place:',
        ru: 'Чтобы зарегистрировать его снова, создайте токен, а на узле удалите прежние ключи и сертификаты и положите токен на место:',
      }),
      '',
      `  ${token}`,
      '  rm -r /var/lib/puppet/ssl /etc/nova/pki',
    ].join('\n'),
  };
}

/** Which API servers of the node's cluster already refuse the node. */
function clusterLines(
  { t, style }: Context,
  { denied, waiting, unable }: { denied: string[]; waiting: string[]; unable: string[] },
): string[] {
  const line = (mark: string, nodes: string[], text: Text) =>
    nodes.length === 0 ? [] : [`${mark} ${t(text)}: ${nodes.toSorted().join(', ')}`];
  return [
    ...line(style.green('✓'), denied, {
      en: 'The API of its cluster refuses it on',
      ru: 'API кластера отказывает ему на',
    }),
    ...line(style.yellow('!'), waiting, {
      en: 'The API still accepts it until the agent has run on',
      ru: 'API ещё принимает его, пока агент не выполнится на',
    }),
    ...line(style.red('✗'), unable, {
      en: 'The API still accepts it until the cluster is applied again (nova-ctl apply), on',
      ru: 'API ещё принимает его, пока кластер не применён заново (nova-ctl apply), на',
    }),
  ];
}
