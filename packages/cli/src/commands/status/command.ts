import { simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';

export const status = (t: Translate) =>
  simpleCommand<[]>(
    t,
    {
      en: 'How Universe is, and what to do if it is not well',
      ru: 'Состояние Universe и что делать, если что-то не так',
    },
    [],
    async () => (await import('./run.ts')).run,
    {
      en: 'Its services, versions, disk and memory, what it looks after, and certificates that end within two weeks.\nThe exit code is 1 when a service is not ready.',
      ru: 'Службы, версии, диск и память, чем он управляет, и сертификаты, истекающие в ближайшие две недели.\nКод завершения 1, если какая-то служба не готова.',
    },
  );
