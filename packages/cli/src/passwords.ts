import type { Context } from './context.ts';
import { badValue } from './failure.ts';
import type { Output } from './output.ts';
import { promptsOf, secretLines } from './prompts.ts';

const [shortest, longest] = [12, 256];
const expected = {
  en: `a password of ${shortest} to ${longest} characters`,
  ru: `пароль длиной от ${shortest} до ${longest} знаков`,
};

/** A new password: prompted twice on a terminal, otherwise a line of standard input. */
export async function newPassword(context: Context, output: Output): Promise<string> {
  const { t, io } = context;
  const prompts = await promptsOf(context, output);
  if (!prompts) {
    const [password = ''] = await secretLines(io, ['password']);
    return checked(password);
  }
  const password = await prompts.secret(t({ en: 'New password', ru: 'Новый пароль' }), (value) =>
    isLongEnough(value) ? undefined : t(expected),
  );
  await prompts.secret(t({ en: 'Repeat the new password', ru: 'Повторите новый пароль' }), (value) =>
    value === password ? undefined : t({ en: 'the passwords differ', ru: 'пароли не совпадают' }),
  );
  return password;
}

/** The user's old and new password: two lines of standard input without a terminal. */
export async function oldAndNewPassword(context: Context, output: Output): Promise<{ old: string; password: string }> {
  const { t, io } = context;
  const prompts = await promptsOf(context, output);
  if (prompts) {
    const old = await prompts.secret(t({ en: 'Current password', ru: 'Текущий пароль' }));
    return { old, password: await newPassword(context, output) };
  }
  const [old = '', password = ''] = await secretLines(io, ['password', 'new-password']);
  return { old, password: checked(password) };
}

function checked(password: string): string {
  if (isLongEnough(password)) return password;
  throw badValue('password', expected);
}

function isLongEnough({ length }: string): boolean {
  return length >= shortest && length <= longest;
}
