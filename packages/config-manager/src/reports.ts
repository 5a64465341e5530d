import { ProblemError, problem } from '@nova-platform/api';
import type { RunReport, StoredReport } from '@nova-platform/contracts/config-manager';
import type { GroupCommit } from '@nova-platform/store';
import { compress, expand } from './compressed.ts';
import type { Database } from './store/database.ts';
import type { Schema } from './store/schema.ts';

/** One property of a resource that a run changed, would have changed, or failed to change. */
type ReportedChange = RunReport['changes'][number];

const longestText = 2000;
const mostEntries = 5000;
const serious = ['warning', 'err', 'alert', 'emerg', 'crit'];
/** A harmless warning of every run in a machine of the local engine. */
const aboutMachine = /^Container runtime, 'nova', is unsupported/;

export class Reports {
  readonly #db: Database;
  readonly #commit: GroupCommit<Schema>;

  constructor(db: Database, commit: GroupCommit<Schema>) {
    this.#db = db;
    this.#commit = commit;
  }

  /** Resolves when the report is on disk. */
  async store(node: string, report: RunReport): Promise<void> {
    const body = compress(JSON.stringify(report));
    const { changed, corrective, failed } = report.resources;
    const catalog = Number(report.catalog);
    await this.#commit.write(async (transaction) => {
      const { id } = await transaction
        .insertInto('reports')
        .values({
          node,
          received_at: Date.now(),
          status: report.status,
          is_noop: Number(report.isNoop),
          changed,
          corrective,
          failed,
          seconds: report.seconds,
          // PostgreSQL text cannot contain this character.
          agent_version: report.agentVersion.replaceAll('\0', ''),
          body,
          size: body.length,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const latest = { last_report_id: id, last_status: report.status };
      await transaction.updateTable('nodes').set(latest).where('name', '=', node).execute();
      if (report.isNoop || report.status === 'failed' || !Number.isSafeInteger(catalog)) return;
      await transaction
        .updateTable('nodes')
        .set({ applied_catalog_id: catalog })
        .where('name', '=', node)
        // Only the node's own catalogs: a report may name any ID.
        .where((eb) =>
          eb.exists(eb.selectFrom('catalogs').select('id').where('id', '=', catalog).where('node', '=', node)),
        )
        .execute();
    });
  }

  /** Latest first. */
  async of(node: string, limit: number): Promise<StoredReport[]> {
    const rows = await this.#db
      .selectFrom('reports')
      .select(['id', 'received_at', 'body'])
      .where('node', '=', node)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ id, received_at, body }) => ({
      id,
      receivedAt: new Date(received_at).toISOString(),
      ...(JSON.parse(expand(body)) as RunReport),
    }));
  }
}

/** Parses an agent's report (format 10 to 12) and keeps the relevant parts. */
export function readReport(value: unknown): RunReport {
  const report = asObject(value);
  const status = text(report.status);
  if (status !== 'unchanged' && status !== 'changed' && status !== 'failed') {
    throw new ProblemError(problem('NOVA8025', { reason: { en: 'the body is not a report', ru: 'это не отчёт' } }));
  }
  const resources = Object.entries(asObject(report.resource_statuses));
  const statuses = resources.map(
    ([name, each]) => ({ ...asObject(each), name }) as { name: string } & Record<string, unknown>,
  );
  const logs = asArray(report.logs).slice(0, mostEntries).map(asObject);
  const changes = [...statuses.flatMap(changesOf), ...logs.flatMap(wouldRefresh)];
  return {
    startedAt: text(report.time),
    status,
    isNoop: report.noop === true,
    catalog: text(report.configuration_version),
    agentVersion: text(report.puppet_version),
    seconds: metric(report, 'time', 'total'),
    resources: {
      // Agents omit unchanged resources.
      total: metric(report, 'resources', 'total'),
      changed: statuses.filter(({ changed }) => changed === true).length,
      corrective: statuses.filter(({ corrective_change }) => corrective_change === true).length,
      failed: statuses.filter(({ failed, failed_to_restart }) => failed === true || failed_to_restart === true).length,
      skipped: statuses.filter(({ skipped }) => skipped === true).length,
    },
    changes: changes
      .toSorted((one, other) => Number(other.outcome === 'failed') - Number(one.outcome === 'failed'))
      .slice(0, mostEntries),
    skipped: statuses
      .filter(({ skipped }) => skipped === true)
      .map(({ name }) => text(name))
      .slice(0, mostEntries),
    log: logs
      .map(({ level, message }) => ({ level: text(level), message: text(message) }))
      .filter(({ level, message }) => serious.includes(level) && !aboutMachine.test(message))
      .slice(0, 200),
  };
}

/** The result of a new machine's boot, in the form of an agent's report. The log has one line per resource. */
export function bootReport(
  catalog: string,
  { exit, seconds }: { exit?: string; seconds?: string },
  log: string,
): RunReport {
  const lines = log.split('\n').filter((line) => line !== '');
  const isFailed = exit !== '0';
  const total = lines.filter((line) => /^(File|Exec|Service)\[/.test(line)).length;
  return {
    startedAt: new Date().toISOString(),
    status: isFailed ? 'failed' : 'changed',
    isNoop: false,
    catalog,
    agentVersion: 'boot',
    seconds: Math.max(0, Number(seconds) || 0),
    resources: { total, changed: total, corrective: 0, failed: Number(isFailed), skipped: 0 },
    changes: [],
    skipped: [],
    log: isFailed ? lines.slice(-200).map((message) => ({ level: 'err', message: text(message) })) : [],
  };
}

const outcomes = new Map<string, ReportedChange['outcome']>([
  ['success', 'changed'],
  ['failure', 'failed'],
  ['noop', 'would change'],
]);

function changesOf(status: { name: string } & Record<string, unknown>): ReportedChange[] {
  const resource = { resource: text(status.name), ...pieceOf(status.tags) };
  return asArray(status.events)
    .map(asObject)
    .flatMap((event) => {
      const outcome = outcomes.get(text(event.status));
      if (!outcome) return [];
      return [
        {
          ...resource,
          property: text(event.property) || text(event.name),
          from: shownValue(event.previous_value),
          to: shownValue(event.desired_value),
          message: text(event.message),
          outcome,
          isCorrective: event.corrective_change === true,
        },
      ];
    });
}

/** Agents report a restart that noop mode suppressed only in the log. */
function wouldRefresh({ source, message, tags }: Record<string, unknown>): ReportedChange[] {
  if (!text(message).startsWith("Would have triggered 'refresh'")) return [];
  const resource = text(source).replace(/^\//, '');
  return [
    {
      resource,
      ...pieceOf(tags),
      property: 'refresh',
      from: '',
      to: '',
      message: text(message),
      outcome: 'would change',
      isCorrective: false,
    },
  ];
}

/** The tag prefix for the piece of a resource. */
const pieceTag = 'piece:';

function pieceOf(tags: unknown): { piece?: string } {
  const tag = asArray(tags).find((each) => typeof each === 'string' && each.startsWith(pieceTag));
  return typeof tag === 'string' ? { piece: text(tag.slice(pieceTag.length)) } : {};
}

function metric(report: Record<string, unknown>, group: string, name: string): number {
  const values = asArray(asObject(asObject(report.metrics)[group]).values);
  const entry = values.map(asArray).find(([key]) => key === name);
  return typeof entry?.[2] === 'number' && Number.isFinite(entry[2]) ? entry[2] : 0;
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The checksum of content is plain text, or its bytes in base64. */
function shownValue(value: unknown): string {
  const plain = text(value);
  const decoded = /^[A-Za-z0-9+/]{64,}={0,2}$/.test(plain) ? Buffer.from(plain, 'base64').toString() : '';
  return /^\{\w+\}[0-9a-f]+$/.test(decoded) ? decoded : plain;
}

/** Values are Ruby values; convert them to readable text. */
function text(value: unknown): string {
  if (value === undefined || value === null) return '';
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return shown.length > longestText ? `${shown.slice(0, longestText)}…` : shown;
}
