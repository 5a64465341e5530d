import { randomBytes } from 'node:crypto';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { summaryOf } from '@nova-platform/config-manager';
import { reportOf } from '@nova-platform/config-manager/testing';
import { plan } from '@nova-platform/plan/testing';
import { simulatedFacts } from './agents.ts';

export const fleet = { clusters: 1000, nodesPerCluster: 50 };

const words = ['billing', 'search', 'orders', 'payments', 'reports', 'mobile', 'portal', 'archive', 'metrics', 'mail'];
const sites = ['msk', 'spb', 'kzn', 'nsk', 'ekb'];
const stages = ['prod', 'stage', 'test', 'dev'];

/** Varied names, like those that people give to clusters. */
export function clusterName(index: number): string {
  const [word, site, stage] = [words[index % 10], sites[index % 5], stages[Math.floor(index / 50) % 4]];
  return `${word}-${site}-${stage}-${String(index).padStart(4, '0')}`;
}

export function nodeName(cluster: number, node: number): string {
  return `${clusterName(cluster)}-${node < 3 ? 'main' : 'work'}-${node + 1}`;
}

/** Facts of a node, in the store's format. */
function storedFacts(): Buffer {
  const moment = { uptimeSeconds: 1, freeMemoryBytes: 1e9, loadAverage: 1, timestamp: '', expiration: '' };
  return gzipSync(JSON.stringify((simulatedFacts('node', moment) as { values: object }).values));
}

/** Nodes that enrolled before their cluster is approved: its catalogs are compiled for all of them. */
export function addSeenNodes(file: string, names: readonly string[]): void {
  const db = new DatabaseSync(file, { timeout: 10_000 });
  const insert = db.prepare('insert into nodes (name, facts, seen_at) values (?, ?, ?)');
  const facts = storedFacts();
  db.exec('begin');
  for (const name of names) insert.run(name, facts, Date.now());
  db.exec('commit');
  db.close();
}

/** The store of a large site after some time, written directly to the database. */
export function fillStore(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off; begin');
  const insert = (table: string, columns: string) => {
    const names = columns.split(' ');
    const statement = db.prepare(
      `insert into ${table} (${names.map((name) => `"${name}"`).join()}) values (${names.map(() => '?').join()})`,
    );
    return (...values: SQLInputValue[]) => void statement.run(...values);
  };
  const put = {
    cluster: insert(
      'clusters',
      'name revision sealed_documents provider kubernetes_version node_count changed_at changed_by',
    ),
    plan: insert('plans', 'cluster plan summary sealed_secrets approved_at'),
    node: insert(
      'nodes',
      'name cluster facts seen_at catalog_id applied_catalog_id roles address last_report_id last_status',
    ),
    report: insert(
      'reports',
      'id node received_at status is_noop changed corrective failed seconds agent_version body size',
    ),
    catalog: insert('catalogs', 'id node body approved_at'),
    certificate: insert('certificates', 'serial purpose node name certificate not_after overdue_at revoked_at'),
    operation: insert('operations', 'id kind lock input state is_cancelling requested_by created_at ended_at'),
    step: insert('steps', 'operation name position item after state attempts started_at ended_at'),
    event: insert('events', 'at kind cluster operation step data'),
    audit: insert('audit', 'at who from_address action target outcome'),
  };

  const now = Date.now();
  const day = 24 * 3600_000;
  const text = (length: number) => randomBytes((length * 3) / 4).toString('base64');
  const certificate = `-----BEGIN CERTIFICATE-----\n${text(1100)}\n-----END CERTIFICATE-----\n`;
  const facts = storedFacts();
  const demo = plan({
    nodeGroups: [
      { name: 'main', roles: ['control-plane', 'infra', 'ingress'], count: 3 },
      { name: 'work', roles: ['worker'], count: fleet.nodesPerCluster - 3 },
    ],
  });
  const planned = JSON.stringify(demo);
  const summary = JSON.stringify(summaryOf(demo));
  const report = gzipSync(JSON.stringify(reportOf('node', { changed: 3 })));
  const catalog = randomBytes(3000);
  let reports = 0;
  let serials = 0;
  for (let index = 0; index < fleet.clusters; index += 1) {
    const name = clusterName(index);
    put.cluster(
      name,
      1 + (index % 9),
      text(3000),
      'local',
      '1.36.3',
      fleet.nodesPerCluster,
      now - index * 1000,
      'admin',
    );
    const named = (text: string) => text.replaceAll('demo', name);
    put.plan(name, gzipSync(named(planned), { level: 1 }), named(summary), text(300), now);
    for (const operation of [2 * index + 1, 2 * index + 2]) {
      const state = operation % 40 === 0 ? 'failed' : 'done';
      put.operation(operation, 'cluster.configure', name, '{"cluster":""}', state, 0, 'admin', now - day, now - day);
      put.step(operation, 'approve', 0, null, '[]', 'done', 1, now, now);
      for (let node = 0; node < fleet.nodesPerCluster; node += 1) {
        const step = `run/${nodeName(index, node)}`;
        put.step(operation, step, node + 1, '{"name":"x"}', '["approve"]', 'done', 1, now, now);
        for (const line of ['running', 'done'])
          put.event(now - day, 'step', name, operation, step, JSON.stringify({ state: line, attempts: 1 }));
      }
    }
    for (let node = 0; node < fleet.nodesPerCluster; node += 1) {
      const each = nodeName(index, node);
      let status = '';
      for (let run = 0; run < 4; run += 1) {
        reports += 1;
        status = reports % 53 === 0 ? 'failed' : run === 0 ? 'changed' : 'unchanged';
        put.report(reports, each, now - run * 1800_000, status, 0, 3, 0, 0, 12.5, '8.10.0', report, report.length);
      }
      const roles = node < 3 ? 'control-plane,infra,ingress' : 'worker';
      const isSeen = (index + node) % 97 !== 0;
      put.catalog(reports, each, catalog, now);
      put.node(
        each,
        name,
        facts,
        isSeen ? now : null,
        reports,
        reports,
        roles,
        `10.${index % 200}.0.${node}`,
        reports,
        status,
      );
      for (const purpose of ['identity', 'service', 'service']) {
        serials += 1;
        put.certificate(
          serials.toString(16).padStart(32, '0'),
          purpose,
          each,
          purpose,
          certificate,
          now + 300 * day,
          now + 200 * day,
          null,
        );
      }
    }
    for (let entry = 0; entry < 100; entry += 1)
      put.audit(now - entry, 'admin', '10.0.0.1', 'declareCluster', `/api/v1/clusters/${name}`, 200);
  }
  db.exec('commit');
  db.exec('pragma wal_checkpoint(truncate)');
  db.close();
}
