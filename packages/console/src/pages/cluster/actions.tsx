import type { ClusterPlan } from '@nova-platform/plan';
import { Button, Checkbox, Divider, DropdownItem, DropdownList } from '@patternfly/react-core';
import { DownloadIcon } from '@patternfly/react-icons/dist/esm/icons/download-icon.js';
import { Suspense, useState } from 'react';
import { type Health, universe } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { ConfirmByName, Dialog } from '../../parts/dialog.tsx';
import { download } from '../../parts/download.ts';
import { Menu } from '../../parts/menu.tsx';
import { onDemand } from '../../parts/on-demand.ts';
import { useSession } from '../../session.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { useBegun } from './use-begun.ts';

const Scale = onDemand(() => import('./scale.tsx'), 'Scale');

type Asked = 'kubeconfig' | 'scale' | 'stop' | 'start' | 'run' | 'destroy';

interface ActionsProps {
  cluster: { name: string; plan: ClusterPlan };
  health: Health | undefined;
}

/** Actions on a cluster, for operators. */
export function ClusterActions({ cluster: { name, plan }, health }: ActionsProps) {
  const { t } = useWords();
  const { may } = useSession();
  const begin = useBegun();
  const [asked, setAsked] = useState<Asked>();
  const [isNoop, setIsNoop] = useState(false);
  if (!may('operator')) return null;
  const params = { cluster: name };
  const close = () => setAsked(undefined);
  const isStopped = health?.state === 'stopped';
  return (
    <>
      <Button variant="secondary" icon={<DownloadIcon />} onClick={() => setAsked('kubeconfig')}>
        kubeconfig
      </Button>
      <Menu title={t('common.actions')} variant="primary">
        <DropdownList>
          <DropdownItem onClick={() => setAsked('scale')} description={t('clusters.scaleHint')}>
            {t('clusters.scale')}
          </DropdownItem>
          <DropdownItem onClick={() => setAsked('run')} description={t('clusters.runAgentsHint')}>
            {t('clusters.runAgents')}
          </DropdownItem>
          {!isStopped && (
            <DropdownItem onClick={() => setAsked('stop')} description={t('clusters.stopHint')}>
              {t('clusters.stop')}
            </DropdownItem>
          )}
          {isStopped && <DropdownItem onClick={() => setAsked('start')}>{t('clusters.start')}</DropdownItem>}
          <Divider />
          <DropdownItem isDanger onClick={() => setAsked('destroy')} description={t('clusters.destroyHint')}>
            {t('clusters.destroy')}
          </DropdownItem>
        </DropdownList>
      </Menu>

      {asked === 'kubeconfig' && (
        <Dialog
          title={t('clusters.accessTitle', { name })}
          action={t('common.download')}
          onClose={close}
          onAction={async () =>
            download(`${name}.kubeconfig`, kubeconfigText(name, await universe.kubeconfig({ params })))
          }
        >
          <p>{t('clusters.kubeconfigHint')}</p>
          <pre className="nova-command">{`kubectl --kubeconfig ${name}.kubeconfig get nodes`}</pre>
        </Dialog>
      )}
      {asked === 'scale' && (
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
            onBegun={begin}
          />
        </Suspense>
      )}
      {asked === 'run' && (
        <Dialog
          title={t('clusters.runAgentsTitle', { name })}
          action={t('common.run')}
          onClose={close}
          onAction={async () => begin(await universe.runAgents({ params, body: { isNoop } }))}
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
      {asked === 'stop' && (
        <ConfirmByName
          name={name}
          title={t('clusters.stopTitle', { name })}
          action={t('clusters.stop')}
          onClose={close}
          onAction={async () => begin(await universe.stopCluster({ params }))}
        >
          <p>{t('clusters.stopText')}</p>
        </ConfirmByName>
      )}
      {asked === 'start' && (
        <Dialog
          title={t('clusters.startTitle', { name })}
          action={t('clusters.start')}
          onClose={close}
          onAction={async () => begin(await universe.startCluster({ params }))}
        >
          <p>{t('clusters.startText')}</p>
        </Dialog>
      )}
      {asked === 'destroy' && (
        <ConfirmByName
          name={name}
          title={t('clusters.destroyTitle', { name })}
          action={t('clusters.destroy')}
          onClose={close}
          onAction={async () => begin(await universe.destroyCluster({ params }))}
        >
          <p>{t('clusters.destroyText', { count: plan.nodes.length })}</p>
        </ConfirmByName>
      )}
    </>
  );
}
