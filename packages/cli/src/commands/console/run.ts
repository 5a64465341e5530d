import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { universeOf } from '../../universe.ts';

export async function console(this: Context): Promise<Result> {
  const { t, style, io } = this;
  const { client, server } = universeOf(io);
  const { code, user, expiresAt } = await client.createLoginLink({ body: {} });
  const link = loginLink(server, code);
  return {
    data: { server, link, user, expiresAt },
    text: [style.bold(link), style.dim(t(loginLinkNote))].join('\n'),
  };
}

/** The part after `#` stays in the browser: no server or log receives it. */
export function loginLink(server: string, code: string): string {
  return `${server}/login#code=${code}`;
}

export const loginLinkNote = {
  en: 'the link works once, within an hour',
  ru: 'ссылка действует один раз в течение часа',
};
