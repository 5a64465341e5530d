import { Button } from '@patternfly/react-core';
import { PlayIcon } from '@patternfly/react-icons/dist/esm/icons/play-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  catalogQuery,
  consoleQuery,
  differenceQuery,
  factsQuery,
  healthQuery,
  nodeQuery,
  reportsQuery,
} from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { LogView } from '../../parts/log-view.tsx';
import { NodeState } from '../../parts/node-state.tsx';
import { Needed } from '../../parts/not-allowed.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { plainLines } from '../../parts/plain-lines.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { RunAgent } from '../../parts/run-agent.tsx';
import { useSession } from '../../session.ts';
import { CatalogView } from './catalog.tsx';
import { DifferenceView } from './difference.tsx';
import { FactTable } from './fact-table.tsx';
import { NodeOverview } from './node-overview.tsx';
import { Reports } from './reports.tsx';

export function NodePage({ name, tab }: { name: string; tab: string }) {
  const { t } = useWords();
  const { may } = useSession();
  const node = useQuery(nodeQuery(name));
  const facts = useQuery({ ...factsQuery(name), enabled: tab === 'facts' });
  const catalog = useQuery({ ...catalogQuery(name), enabled: tab === 'catalog' });
  const difference = useQuery({ ...differenceQuery(name), enabled: tab === 'changes' });
  const reports = useQuery({ ...reportsQuery(name), enabled: tab === 'reports' || tab === 'overview' });
  const console = useQuery({ ...consoleQuery(name), enabled: tab === 'console' && may('operator') });
  const cluster = node.data?.cluster;
  const health = useQuery({ ...healthQuery(cluster ?? ''), enabled: cluster !== undefined });
  const own = health.data?.nodes.find((each) => each.name === name);
  const [isRunning, setIsRunning] = useState(false);
  const pending = node.data ? node.data.sinceLastRun + node.data.pending : 0;
  const tabs: [key: string, title: string][] = [
    ['overview', t('common.overview')],
    ['reports', t('nodes.reports')],
    ['changes', pending > 0 ? t('nodes.changesCount', { count: pending }) : t('common.changes')],
    ['catalog', t('nodes.catalog')],
    ['facts', t('nodes.facts')],
    ...(may('operator') ? [['console', t('nodes.console')] as [string, string]] : []),
  ];
  return (
    <>
      <PageHead
        title={name}
        view={tabs.find(([key]) => key === tab)?.[1]}
        above={
          cluster === undefined
            ? [{ title: t('common.nodes'), to: '/nodes' }]
            : [
                { title: t('common.clusters'), to: '/clusters' },
                { title: cluster, to: `/clusters/${cluster}` },
              ]
        }
        state={own && <NodeState node={own} />}
        actions={
          may('operator') &&
          node.data && (
            <Button icon={<PlayIcon />} onClick={() => setIsRunning(true)}>
              {t('nodes.runAgent')}
            </Button>
          )
        }
      />
      <PageBody>
        <QueryView query={node}>
          {(found) => (
            <>
              <PageTabs label={t('nodes.sections')} base={`/nodes/${name}`} current={tab} tabs={tabs} />
              {tab === 'overview' && <NodeOverview node={found} health={health.data} reports={reports.data ?? []} />}
              {tab === 'reports' && <QueryView query={reports}>{(list) => <Reports reports={list} />}</QueryView>}
              {tab === 'changes' && (
                <QueryView query={difference}>{(changes) => <DifferenceView difference={changes} />}</QueryView>
              )}
              {tab === 'catalog' && (
                <QueryView query={catalog}>{(approved) => <CatalogView catalog={approved} />}</QueryView>
              )}
              {tab === 'facts' && <QueryView query={facts}>{(reported) => <FactTable facts={reported} />}</QueryView>}
              {tab === 'console' && !may('operator') && (
                <p>
                  <Needed needs="operator" />
                </p>
              )}
              {tab === 'console' && may('operator') && (
                <QueryView query={console}>
                  {(text) => (
                    <LogView
                      label={t('nodes.machineConsole')}
                      lines={plainLines(text)}
                      fileName={`${name}-console.log`}
                    />
                  )}
                </QueryView>
              )}
            </>
          )}
        </QueryView>
      </PageBody>
      {isRunning && <RunAgent node={name} onClose={() => setIsRunning(false)} />}
    </>
  );
}
