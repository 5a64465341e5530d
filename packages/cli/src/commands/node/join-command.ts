import { command } from '../../command.ts';
import type { Output } from '../../output.ts';
import { clock } from '../../time.ts';
import { universeOf } from '../../universe.ts';
import { lifetime } from '../../values.ts';

export interface JoinCommandFlags {
  ttl: string;
  output: Output;
}

const longestDays = 1;

export const joinCommand = command<JoinCommandFlags, [name: string]>(async function ({ ttl }, name) {
  const { io, t } = this;
  const lifetimeSeconds = lifetime('--ttl', ttl, longestDays);
  const made = await universeOf(io).client.createJoinCommand({ params: { name }, body: { lifetimeSeconds } });
  const hint = t({
    en: `# Run this line as root on ${made.name} (${made.address}). It works once, until ${clock(made.expiresAt)}.`,
    ru: `# Выполните эту строку от имени root на ${made.name} (${made.address}). Она действует один раз, до ${clock(made.expiresAt)}.`,
  });
  return { data: made, text: `${hint}\n${made.command}` };
});
