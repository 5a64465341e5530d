import { simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';

export const logout = (t: Translate) =>
  simpleCommand<[]>(
    t,
    { en: 'Log out: the token is taken back and forgotten', ru: 'Выйти: токен отзывается и забывается' },
    [],
    async () => (await import('./run.ts')).run,
    {
      en: 'Takes the token of the current context back on the server, and forgets it here. Where the server is stays known:\n`nova-ctl login` logs in again.',
      ru: 'Отзывает токен текущего контекста на сервере и забывает его здесь. Адрес и центр сертификации сервера сохраняются:\n`nova-ctl login` выполнит вход снова.',
    },
  );
