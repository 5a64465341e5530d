import { ProblemError, problem } from '@nova-platform/api';
import { operation } from '@nova-platform/operations';
import { z } from 'zod';
import type { ClusterTools } from './operation.ts';

/** Runs the agents of all enrolled nodes of a cluster. */
export const runAgents = ({ config }: Pick<ClusterTools, 'config'>) =>
  operation({
    kind: 'agents.run',
    title: { en: 'Run the agents', ru: 'Запустить агенты' },
    titleOf: ({ cluster, isNoop }) => ({
      en: `Run the agents of ${cluster}${isNoop ? ' (dry run)' : ''}`,
      ru: `Запустить агенты ${cluster}${isNoop ? ' (пробный запуск)' : ''}`,
    }),
    input: z.object({ cluster: z.string(), nodes: z.array(z.object({ name: z.string() })), isNoop: z.boolean() }),
    lock: ({ cluster }) => cluster,
    isRoutine: true,
  }).each('run', ({ nodes }) => nodes, {
    title: { en: 'Run the agent', ru: 'Запустить агент' },
    run: async ({ input, item, log, signal }) => {
      const { agents } = config.services;
      const report = await agents.run(item.name, { isNoop: input.isNoop, onLine: log, signal });
      signal.throwIfAborted();
      if (report?.status === 'failed') throw new ProblemError(problem('NOVA8341', { nodes: item.name }));
      return report && { status: report.status, changed: report.resources.changed };
    },
  });
