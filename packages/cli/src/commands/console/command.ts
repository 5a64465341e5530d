import { simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';

export const console = (t: Translate) =>
  simpleCommand<[]>(
    t,
    { en: 'Address of the web console, with a link that logs you in', ru: 'Адрес веб-консоли и ссылка для входа' },
    [],
    async () => (await import('./run.ts')).console,
    {
      en: 'Shows where the web console is, and a link that logs you in there without a password: once, within an hour.',
      ru: 'Показывает адрес веб-консоли и ссылку для входа без пароля: один раз в течение часа.',
    },
  );
