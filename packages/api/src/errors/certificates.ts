import { area } from './area.ts';

export const certificates = area(
  'certificates',
  { en: 'Certificates', ru: 'Сертификаты' },
  {
    NOVA8101: {
      message: {
        en: 'The certificate request cannot be read: {reason}.',
        ru: 'Запрос на сертификат не удаётся прочитать: {reason}.',
      },
      remedy: {
        en: 'Have the node make a new one: run `puppet ssl clean` there, then the agent again.',
        ru: 'Создайте на узле новый запрос: выполните там `puppet ssl clean` и снова запустите агент.',
      },
    },
    NOVA8102: {
      message: {
        en: 'The certificate request is not signed with its own key.',
        ru: 'Запрос на сертификат подписан не своим ключом.',
      },
      remedy: {
        en: 'It was changed on its way, or made from another key. Run `puppet ssl clean` on the node, then the agent again.',
        ru: 'Его изменили по пути или создали с другим ключом. Выполните на узле `puppet ssl clean` и снова запустите агент.',
      },
    },
    NOVA8103: {
      message: {
        en: 'The key of the certificate request is not accepted: {kind}.',
        ru: 'Ключ запроса на сертификат не принимается: {kind}.',
      },
      remedy: {
        en: 'Use RSA of 2048 to 8192 bits with exponent 65537, or EC P-256 or P-384: set `keylength` or `key_type` in puppet.conf on the node, run `puppet ssl clean`, then the agent again.',
        ru: 'Нужен RSA от 2048 до 8192 бит с экспонентой 65537 либо EC P-256 или P-384: задайте `keylength` или `key_type` в puppet.conf на узле, выполните `puppet ssl clean` и снова запустите агент.',
      },
    },
    NOVA8104: {
      message: {
        en: 'The sealed secret {what} cannot be opened.',
        ru: 'Не удаётся открыть запечатанный секрет {what}.',
      },
      remedy: {
        en: 'Give the master key it was sealed with; if it is that one, the secret is damaged: restore it from a backup.',
        ru: 'Укажите мастер-ключ, которым он запечатан; если ключ тот же, секрет повреждён: восстановите его из резервной копии.',
      },
    },
    NOVA8105: {
      message: {
        en: 'The certificate authority {name} expired on {date} and can no longer sign.',
        ru: 'Срок центра сертификации {name} истёк {date}: он больше не подписывает.',
      },
      remedy: {
        en: 'Replace it; check first that the clock of this machine is right.',
        ru: 'Замените его; сначала проверьте, верны ли часы этой машины.',
      },
    },
  },
);
