import { Button } from '@patternfly/react-core';
import { PlayIcon } from '@patternfly/react-icons/dist/esm/icons/play-icon.js';
import { Suspense, useState } from 'react';
import { type PlainKey, useWords } from '../language.tsx';
import { useSession } from '../session.ts';
import { PageLink } from './link.tsx';
import { onDemand } from './on-demand.ts';
import { actionsOf, type RemedyAction } from './remedies.ts';
import './remedy-actions.css';

const RunAgent = onDemand(() => import('./run-agent.tsx'), 'RunAgent');

const pages: Record<Exclude<RemedyAction['kind'], 'run-agent' | 'operation'>, PlainKey> = {
  reports: 'common.openReports',
  console: 'common.openConsole',
  modules: 'common.openModules',
  topology: 'common.openTopology',
  operations: 'common.openOperations',
};

/** The commands of a remedy as buttons and links, as far as the console has them. */
export function RemedyActions({ remedy }: { remedy: string }) {
  const { t } = useWords();
  const { may } = useSession();
  const [running, setRunning] = useState<string>();
  const actions = actionsOf(remedy).filter(
    ({ kind }) => may('operator') || (kind !== 'run-agent' && kind !== 'console'),
  );
  if (actions.length === 0) return null;
  return (
    <div className="nova-remedy-actions">
      {actions.map((action) =>
        action.kind === 'run-agent' ? (
          <Button
            key={`run ${action.node}`}
            variant="secondary"
            size="sm"
            icon={<PlayIcon />}
            onClick={() => setRunning(action.node)}
          >
            {t('common.runAgentOf', { node: action.node })}
          </Button>
        ) : (
          <PageLink key={action.to} to={action.to} className="nova-link nova-remedy-link">
            {action.kind === 'operation' ? t('common.openOperation', { id: action.id }) : t(pages[action.kind])}
          </PageLink>
        ),
      )}
      {running !== undefined && (
        <Suspense fallback={null}>
          <RunAgent node={running} onClose={() => setRunning(undefined)} />
        </Suspense>
      )}
    </div>
  );
}
