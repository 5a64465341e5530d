import { area } from './area.ts';

export const certificates = area(
  'certificates',
  { en: 'Certificates', ru: 'Сертификаты' },
  {
    NOVA8101: {
      message: {
        en: 'The certificate request cannot be parsed: {reason}.',
        ru: 'Запрос на сертификат не удаётся разобрать: {reason}.',
      },
      remedy: {
        en: 'Create a new request: on the node run `puppet ssl clean`, then run the agent again.',
        ru: 'Создайте новый запрос: выполните на узле `puppet ssl clean`, затем снова запустите агент.',
      },
    },
    NOVA8102: {
      message: {
        en: 'The signature of the certificate request does not match its key.',
        ru: 'Подпись запроса на сертификат не соответствует его ключу.',
      },
      remedy: {
        en: 'The request was modified in transit or signed with another key. On the node run `puppet ssl clean`, then run the agent again.',
        ru: 'Запрос изменён при передаче или подписан другим ключом. Выполните на узле `puppet ssl clean`, затем снова запустите агент.',
      },
    },
    NOVA8103: {
      message: {
        en: 'The key of the certificate request is not supported: {kind}.',
        ru: 'Ключ запроса на сертификат не поддерживается: {kind}.',
      },
      remedy: {
        en: 'Use RSA of 2048 to 8192 bits with exponent 65537, or EC P-256 or P-384. On the node set `keylength` or `key_type` in puppet.conf, run `puppet ssl clean`, then run the agent again.',
        ru: 'Используйте RSA от 2048 до 8192 бит с экспонентой 65537 либо EC P-256 или P-384. На узле задайте `keylength` или `key_type` в puppet.conf, выполните `puppet ssl clean`, затем снова запустите агент.',
      },
    },
    NOVA8104: {
      message: { en: 'The secret {what} cannot be decrypted.', ru: 'Не удаётся расшифровать секрет {what}.' },
      remedy: {
        en: 'Use the master key that encrypted it. If the key is right, the secret is damaged: restore it from a backup.',
        ru: 'Укажите мастер-ключ, которым он зашифрован. Если ключ верный, секрет повреждён: восстановите его из резервной копии.',
      },
    },
    NOVA8105: {
      message: {
        en: 'The certificate authority {name} expired on {date} and can no longer sign.',
        ru: 'Срок действия центра сертификации {name} истёк {date}: он больше не может подписывать.',
      },
      remedy: {
        en: 'First check the clock of this host. Then replace the certificate authority.',
        ru: 'Сначала проверьте часы этого хоста. Затем замените центр сертификации.',
      },
    },
  },
);
