import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Prometheus metrics. */
export function createMetrics(connections: () => number) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const register = [registry];
  new Gauge({
    name: 'nova_config_connections',
    help: 'Connections of nodes.',
    registers: register,
    collect() {
      this.set(connections());
    },
  });
  return {
    registry,
    requests: new Histogram({
      name: 'nova_config_request_seconds',
      help: 'Requests of nodes by route and status.',
      labelNames: ['route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2],
      registers: register,
    }),
    refusals: new Counter({
      name: 'nova_config_refusals_total',
      help: 'Requests of nodes that were refused, by the code of the reason.',
      labelNames: ['code'],
      registers: register,
    }),
    reports: new Counter({
      name: 'nova_config_reports_total',
      help: 'Reports by what came of the run.',
      labelNames: ['status'],
      registers: register,
    }),
    enrolments: new Counter({
      name: 'nova_config_enrolments_total',
      help: 'Requests for an identity that were signed.',
      registers: register,
    }),
  };
}
