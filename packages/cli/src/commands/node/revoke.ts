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
      `${style.green('✓')} ${t({ en: `The certificates of ${name} are revoked.`, ru: `Сертификаты узла ${name} отозваны.` })}`,
      ...clusterLines(this, { denied, waiting, unable }),
      '',
      t({
        en: `To enrol it again, create a token; on the node, remove the old keys and certificates and write the token into
/etc/puppet/csr_attributes.yaml:`,
        ru: `Чтобы зарегистрировать его снова, создайте токен, а на узле удалите прежние ключи и сертификаты и запишите токен
в /etc/puppet/csr_attributes.yaml:`,
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
    ...line(style.green('✓'), denied, { en: 'API servers that refuse it', ru: 'Серверы API, которые ему отказывают' }),
    ...line(style.yellow('!'), waiting, {
      en: 'API servers that accept it until their agent runs',
      ru: 'Серверы API, которые принимают его до запуска своего агента',
    }),
    ...line(style.red('✗'), unable, {
      en: 'API servers that accept it until the next nova-ctl apply of the cluster',
      ru: 'Серверы API, которые принимают его до следующего nova-ctl apply кластера',
    }),
  ];
}
