import type { ClusterPlan } from '@nova-platform/plan';
import { Button, Checkbox, Divider, DropdownItem, DropdownList } from '@patternfly/react-core';
import { DownloadIcon } from '@patternfly/react-icons/dist/esm/icons/download-icon.js';
import { Suspense, useState } from 'react';
import { type Health, universe } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { ConfirmByName, Dialog } from '../../parts/dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import { onDemand } from '../../parts/on-demand.ts';
import { useSession } from '../../session.ts';
import { KubeconfigDialog } from './kubeconfig-dialog.tsx';
import { useStarted } from './use-started.ts';

const Scale = onDemand(() => import('./scale.tsx'), 'Scale');

type Action = 'kubeconfig' | 'scale' | 'stop' | 'start' | 'run' | 'destroy';

interface ActionsProps {
  cluster: { name: string; plan: ClusterPlan };
  health: Health | undefined;
}

/** Actions on a cluster: a kubeconfig for everyone, all others for operators. */
export function ClusterActions({ cluster: { name, plan }, health }: ActionsProps) {
  const { t } = useWords();
  const { may } = useSession();
  const started = useStarted();
  const [action, setAction] = useState<Action>();
  const [isNoop, setIsNoop] = useState(false);
  const params = { cluster: name };
  const close = () => setAction(undefined);
  const isStopped = health?.state === 'stopped';
  return (
    <>
      <Button variant="secondary" icon={<DownloadIcon />} onClick={() => setAction('kubeconfig')}>
        kubeconfig
      </Button>
      {may('operator') && (
        <Menu title={t('common.actions')} variant="primary">
          <DropdownList>
            <DropdownItem onClick={() => setAction('scale')} description={t('clusters.scaleHint')}>
              {t('clusters.scale')}
            </DropdownItem>
            <DropdownItem onClick={() => setAction('run')} description={t('clusters.runAgentsHint')}>
              {t('clusters.runAgents')}
            </DropdownItem>
            {!isStopped && (
              <DropdownItem onClick={() => setAction('stop')} description={t('clusters.stopHint')}>
                {t('clusters.stop')}
              </DropdownItem>
            )}
            {isStopped && <DropdownItem onClick={() => setAction('start')}>{t('clusters.start')}</DropdownItem>}
            <Divider />
            <DropdownItem isDanger onClick={() => setAction('destroy')} description={t('clusters.destroyHint')}>
              {t('clusters.destroy')}
            </DropdownItem>
          </DropdownList>
        </Menu>
      )}

      {action === 'kubeconfig' && <KubeconfigDialog cluster={name} onClose={close} />}
      {action === 'scale' && (
        <Suspense fallback={null}>
          <Scale
            cluster={name}
            plan={plan}
            groups={plan.declared.nodeGroups.map((group) => ({
              name: group.name,
              roles: group.roles,
              count: plan.nodes.filter((node) => node.group === group.name).length,
            }))}
            onClose={close}
            onStarted={started}
          />
        </Suspense>
      )}
      {action === 'run' && (
        <Dialog
          title={t('clusters.runAgentsTitle', { name })}
          action={t('common.run')}
          onClose={close}
          onAction={async () => started(await universe.runAgents({ params, body: { isNoop } }))}
        >
          <p>{t('clusters.runAgentsText')}</p>
          <Checkbox
            id="noop"
            label={t('common.dryRun')}
            isChecked={isNoop}
            onChange={(_event, isChecked) => setIsNoop(isChecked)}
          />
        </Dialog>
      )}
      {action === 'stop' && (
        <ConfirmByName
          name={name}
          title={t('clusters.stopTitle', { name })}
          action={t('clusters.stop')}
          onClose={close}
          onAction={async () => started(await universe.stopCluster({ params }))}
        >
          <p>{t('clusters.stopText')}</p>
        </ConfirmByName>
      )}
      {action === 'start' && (
        <Dialog
          title={t('clusters.startTitle', { name })}
          action={t('clusters.start')}
          onClose={close}
          onAction={async () => started(await universe.startCluster({ params }))}
        >
          <p>{t('clusters.startText')}</p>
        </Dialog>
      )}
      {action === 'destroy' && (
        <ConfirmByName
          name={name}
          title={t('clusters.destroyTitle', { name })}
          action={t('clusters.destroy')}
          onClose={close}
          onAction={async () => started(await universe.destroyCluster({ params }))}
        >
          <p>{t('clusters.destroyText', { count: plan.nodes.length })}</p>
        </ConfirmByName>
      )}
    </>
  );
}
