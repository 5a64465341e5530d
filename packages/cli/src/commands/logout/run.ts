import { describe, ProblemError, problem } from '@nova-platform/api';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { chosenContext, saveContext, type UniverseContext } from '../../contexts.ts';
import { universeAt } from '../../universe.ts';
import { forgetCredentials } from '../kubeconfig/credential-cache.ts';

export async function run(this: Context): Promise<Result> {
  const { io, t, style } = this;
  const chosen = chosenContext(io);
  if (!chosen) throw new ProblemError(problem('NOVA8332', {}));
  const { name, context } = chosen;
  const { token, expiresAt: _expired, ...rest } = context;
  const failure = token === undefined ? undefined : await revoked(context, token);
  saveContext(io, name, rest, { makeCurrent: false });
  forgetCredentials(io);
  const reason = failure && describe(failure, this.language).message;
  return {
    data: { context: name, isRevoked: !reason, ...(reason && { reason }) },
    text: [
      `${style.green('✓')} ${t({ en: `Logged out of ${context.server}.`, ru: `Выход из ${context.server} выполнен.` })}`,
      ...(reason
        ? [
            `${style.yellow('!')} ${t({
              en: `The token is deleted here, but Universe accepts it until it expires: ${reason}`,
              ru: `Токен удалён здесь, но Universe принимает его, пока он не истечёт: ${reason}`,
            })}`,
          ]
        : []),
    ].join('\n'),
  };
}

/** Revokes the token. Returns the problem if this fails; a token unknown to Universe counts as revoked. */
async function revoked(context: UniverseContext, token: string) {
  const [, id = ''] = /^nova_(\w{12})_/.exec(token) ?? [];
  try {
    await universeAt(context).client.removeToken({ params: { id } });
    return undefined;
  } catch (error) {
    const [first] = error instanceof ProblemError ? error.problems : [problem('NOVA9001', { reason: String(error) })];
    return first?.code === 'NOVA8310' || first?.code === 'NOVA8316' ? undefined : first;
  }
}
