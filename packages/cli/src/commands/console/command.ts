import { simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';

export const console = (t: Translate) =>
  simpleCommand<[]>(
    t,
    { en: 'Print a link that logs you in to the web console', ru: 'Показать ссылку для входа в веб-консоль' },
    [],
    async () => (await import('./run.ts')).console,
    {
      description: {
        en: 'The link needs no password. It works once, within an hour.',
        ru: 'Пароль не нужен. Ссылка действует один раз в течение часа.',
      },
    },
  );
