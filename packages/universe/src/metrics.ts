import type { Journal, OperationState } from '@nova-platform/operations';
import { Gauge, Histogram, Registry } from 'prom-client';
import type { Schema } from './store/schema.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics for Prometheus; those of the process itself belong to the Configuration Manager. */
export function createMetrics(journal: Journal<Schema>) {
  const registry = new Registry();
  new Gauge({
    name: 'nova_operations',
    help: 'Operations by state.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await operationCounts(journal);
      this.reset();
      for (const [state, count] of counts) this.set({ state }, count);
    },
  });
  return {
    registry,
    requests: new Histogram({
      name: 'nova_universe_request_seconds',
      help: 'Requests by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2],
      registers: [registry],
    }),
  };
}

/** The number of operations by state. */
export async function operationCounts({ db }: Journal<Schema>): Promise<Map<OperationState, number>> {
  const rows = await db
    .selectFrom('operations')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}
