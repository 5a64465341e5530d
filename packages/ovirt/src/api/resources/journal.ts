import type { EventRecord, JobRecord } from '../records.ts';
import { empty, type Fields, type Resource, reference } from '../resource.ts';
import { userId } from './access.ts';

interface Job {
  id: string;
  job: JobRecord;
}

/** Work of this API, the newest first. Clients find theirs by the correlation ID that they have sent. */
export const jobs: Resource<Job, undefined> = {
  path: 'jobs',
  element: 'job',
  elements: 'jobs',
  kind: { en: 'job', ru: 'задание' },
  id: ({ id }) => id,
  list: async (call) => [...call.records.all('job')].map(([id, job]) => ({ id, job })).reverse(),
  show: ({ job }) => ({
    description: job.description,
    status: job.status,
    start_time: job.startedAt,
    last_updated: job.endedAt ?? job.startedAt,
    ...(job.endedAt !== undefined && { end_time: job.endedAt }),
    external: false,
    auto_cleared: true,
    owner: reference('users', userId(job.user)),
  }),
  search: () => ({
    name: ({ job }) => job.description,
    description: ({ job }) => job.description,
    status: ({ job }) => job.status,
    correlation_id: ({ job }) => job.correlationId,
    owner: ({ job }) => job.user,
    start_time: ({ job }) => job.startedAt,
    end_time: ({ job }) => job.endedAt,
  }),
  children: [empty('steps', 'step', 'steps')],
};

export const events: Resource<EventRecord, undefined> = {
  path: 'events',
  element: 'event',
  elements: 'events',
  kind: { en: 'event', ru: 'событие' },
  id: ({ number }) => String(number),
  list: async (call) => {
    const from = Number(call.request.query.from ?? 0);
    return [...call.records.all('event').values()].filter(({ number }) => number > from).reverse();
  },
  show: (event): Fields => ({
    code: event.code,
    severity: event.severity,
    description: event.description,
    time: event.at,
    index: event.number,
    origin: 'nova',
    custom_id: -1,
    flood_rate: 30,
    user: reference('users', userId(event.user)),
    ...(event.correlationId !== undefined && { correlation_id: event.correlationId }),
    ...(event.vm !== undefined && { vm: reference('vms', event.vm) }),
  }),
  search: (call) => {
    const names = new Map(
      [...call.records.all('machine')].map(([id, { name, engineName }]) => [id, name ?? engineName]),
    );
    return {
      name: ({ description }) => description,
      message: ({ description }) => description,
      id: ({ number }) => number,
      type: ({ code }) => code,
      severity: ({ severity }) => severity,
      time: ({ at }) => at,
      correlation_id: ({ correlationId }) => correlationId,
      usrname: ({ user }) => user,
      'vm.name': ({ vm }) => names.get(vm ?? ''),
      'vms.name': ({ vm }) => names.get(vm ?? ''),
      'vm.id': ({ vm }) => vm,
    };
  },
};
