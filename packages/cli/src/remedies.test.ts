import { errors } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { commandHelp } from './index.ts';

const help = commandHelp('en');

/** Every `nova-ctl …` in the remedies, in both languages. */
const commands = Object.entries(errors).flatMap(([code, { remedy }]) =>
  [...`${remedy.en} ${remedy.ru}`.matchAll(/`(nova-ctl[^`]*)`/g)].map(([, command = '']) => [code, command] as const),
);

test.each(commands)('the remedy of %s names a command that exists, with its options: %s', (_code, command) => {
  const [own = ''] = command.split(' -- ');
  const [, text] = help.find(([route]) => `${own} `.startsWith(`${route} `)) ?? [];
  expect(text, command).toBeDefined();
  for (const [, option = ''] of own.matchAll(/ (--?[a-z][a-z-]*)/g)) expect(text).toMatch(new RegExp(` ${option}\\b`));
});
