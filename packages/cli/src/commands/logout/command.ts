import { simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';

export const logout = (t: Translate) =>
  simpleCommand<[]>(
    t,
    { en: 'Log out and revoke the token', ru: 'Выйти и отозвать токен' },
    [],
    async () => (await import('./run.ts')).run,
    {
      description: {
        en: `Revokes the token of the current context and deletes it from this host. The address and the CA of the server are
kept: \`nova-ctl login\` logs in again.`,
        ru: `Отзывает токен текущего контекста и удаляет его с этого хоста. Адрес и CA сервера сохраняются: \`nova-ctl login\`
выполнит вход снова.`,
      },
    },
  );
