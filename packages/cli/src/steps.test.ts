import { expect, test } from 'vitest';
import type { Context } from './context.ts';
import { translator } from './language.ts';
import { runSteps } from './steps.ts';

test('a step with a warning shows it, and the next steps run', async () => {
  let written = '';
  const stderr = {
    write: (text: string) => {
      written += text;
      return true;
    },
  };
  const context = { io: { stderr, env: {} }, t: translator('en'), language: 'en' } as unknown as Context;
  const step = (title: string, outcome: boolean | { warning: { en: string; ru: string } }) => ({
    title: { en: title, ru: title },
    run: async () => outcome,
  });
  const warning = { en: 'Not ready yet: demo.', ru: 'Ещё не готовы: demo.' };
  expect(await runSteps(context, [step('clusters', { warning }), step('image', false)])).toEqual(['clusters']);
  expect(written).toBe('! clusters  0 s\n  Not ready yet: demo.\n✓ image  no changes\n');
});
