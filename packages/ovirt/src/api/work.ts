import { randomUUID } from 'node:crypto';
import { describe, ProblemError, problem } from '@nova-platform/api';
import type { FastifyBaseLogger } from 'fastify';
import type { EventRecord, Records } from './records.ts';

/** How long a request waits for its work: most of it succeeds or fails within this time. */
const patience = 1000;
const mostJobs = 500;
const mostEvents = 2000;

/** The status of an object while work on it goes on. */
export type Activity =
  | 'image_locked'
  | 'powering_up'
  | 'powering_down'
  | 'reboot_in_progress'
  | 'locked'
  | 'preparing_for_maintenance';

export interface Task {
  /** Of the job: `Creating VM web1`. */
  description: string;
  /** Of the event: `VM web1 was created`. */
  done: string;
  /** The event's code in oVirt. */
  code: number;
  user: string;
  correlationId: string | undefined;
  /** The ID of the machine, for events. */
  vm?: string;
  /** The object that has the status meanwhile. */
  busy?: { id: string; status: Activity };
}

/** The code of events that have none of their own. */
const failureCode = 9001;

/** Long work goes on when its request was answered: as a job, and with an event at its end. */
export class Work {
  readonly #records: Records;
  readonly #logger: FastifyBaseLogger;
  readonly #activities = new Map<string, Activity[]>();
  #lastEvent: number;

  constructor(records: Records, logger: FastifyBaseLogger) {
    this.#records = records;
    this.#logger = logger;
    this.#lastEvent = Math.max(0, ...[...records.all('event').values()].map(({ number }) => number));
  }

  /** The status of an object with work in progress. */
  statusOf(id: string): Activity | undefined {
    return this.#activities.get(id)?.at(-1);
  }

  /** Starts work, and returns when it has ended or takes longer. Its failure is thrown, or reported later. */
  async start(task: Task, action: () => Promise<void>): Promise<void> {
    const ended = this.run(task, action);
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, patience);
    // A late failure is in the job and the event.
    ended.catch(() => undefined);
    await Promise.race([ended, late.promise]).finally(() => clearTimeout(timer));
  }

  /** Runs work to its end. */
  async run({ busy, ...task }: Task, action: () => Promise<void>): Promise<void> {
    const job = randomUUID();
    const { description, user, correlationId } = task;
    const started = {
      description,
      user,
      startedAt: new Date().toISOString(),
      ...(correlationId !== undefined && { correlationId }),
    };
    if (busy) this.#activities.set(busy.id, [...(this.#activities.get(busy.id) ?? []), busy.status]);
    const end = async (status: 'finished' | 'failed') => {
      if (busy) this.#leave(busy.id, busy.status);
      await this.#records.put('job', job, { ...started, status, endedAt: new Date().toISOString() });
      await this.#trim('job', mostJobs);
    };
    try {
      await this.#records.put('job', job, { ...started, status: 'started' });
      await action();
      await end('finished');
      await this.report({ ...task, severity: 'normal', description: `${task.done} (${user}).` });
    } catch (error) {
      await this.#failed(task, error, end).catch((err: unknown) =>
        this.#logger.error({ err }, 'a job was not recorded'),
      );
      throw error;
    }
  }

  async report(
    event: Omit<EventRecord, 'number' | 'at' | 'correlationId'> & { correlationId?: string | undefined },
  ): Promise<void> {
    const { code, severity, description, user, correlationId, vm } = event;
    this.#lastEvent += 1;
    const number = this.#lastEvent;
    await this.#records.put('event', String(number), {
      number,
      code,
      severity,
      description,
      at: new Date().toISOString(),
      user,
      ...(correlationId !== undefined && { correlationId }),
      ...(vm !== undefined && { vm }),
    });
    await this.#trim('event', mostEvents);
  }

  /** Jobs of an earlier process end here; those that continue get new ones. */
  async endInterrupted(): Promise<void> {
    const { message } = describe(problem('NOVA7626', {}), 'en');
    for (const [id, job] of this.#records.all('job')) {
      if (job.status !== 'started') continue;
      await this.#records.put('job', id, { ...job, status: 'failed', endedAt: new Date().toISOString() });
      const { user, description } = job;
      await this.report({ user, code: failureCode, severity: 'warning', description: `${description}: ${message}` });
    }
  }

  async #failed(task: Omit<Task, 'busy'>, error: unknown, end: (status: 'failed') => Promise<void>): Promise<void> {
    const reason = textOf(error);
    if (!(error instanceof ProblemError)) this.#logger.error({ err: error }, 'a job failed');
    await end('failed');
    await this.report({
      ...task,
      code: failureCode,
      severity: 'error',
      description: `${task.description} failed: ${reason}`,
    });
  }

  #leave(id: string, status: Activity): void {
    const left = [...(this.#activities.get(id) ?? [])];
    left.splice(left.lastIndexOf(status), 1);
    if (left.length === 0) this.#activities.delete(id);
    else this.#activities.set(id, left);
  }

  /** Maps keep the order in which records were added, so the first are the oldest. */
  async #trim(kind: 'job' | 'event', most: number): Promise<void> {
    const ids = [...this.#records.all(kind).keys()];
    await this.#records.remove(kind, ...ids.slice(0, Math.max(0, ids.length - most)));
  }
}

/** An internal error may contain anything, so clients do not see it. */
function textOf(error: unknown): string {
  if (!(error instanceof ProblemError)) return 'internal error, see the log of the API';
  return error.problems
    .map((each) => {
      const { message, remedy } = describe(each, 'en');
      return `${message} ${remedy} (${each.code})`;
    })
    .join(' ');
}
