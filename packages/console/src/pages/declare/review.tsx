import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import type { Preview } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { PlanTree } from '../../parts/plan-tree.tsx';
import { Topology } from '../../parts/topology.tsx';
import { ChangeList } from '../cluster/change-list.tsx';
import { HostTotals } from './host-totals.tsx';

/** Everything that will exist, as a picture and as a tree. */
export function Review({ preview }: { preview: Preview }) {
  const { t } = useWords();
  const { plan, change, resources } = preview;
  const processors = plan.nodes.reduce((sum, { cpu }) => sum + cpu, 0);
  const configured = change.catalogs.reduce((sum, { changes }) => sum + changes.length, 0);
  return (
    <>
      <p className="nova-summary">
        <strong>{plan.cluster.name}</strong>: {t('declare.machineCount', { count: plan.nodes.length })} · {processors}{' '}
        {t('common.cpu')} · {t('common.certificateCount', { count: plan.certificates.length })} ·{' '}
        {t('declare.moduleCount', { count: plan.modules.length })} · {t('declare.resourceCount', { count: configured })}
        . {t('declare.nothingCreated')}
      </p>
      <HostTotals resources={resources} />
      <Card>
        <CardTitle component="h2">{t('common.topology')}</CardTitle>
        <CardBody>
          <Topology plan={plan} />
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t('declare.toBeCreated')}</CardTitle>
        <CardBody>
          <ChangeList change={change} />
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t('common.plan')}</CardTitle>
        <CardBody>
          <PlanTree plan={plan} />
        </CardBody>
      </Card>
    </>
  );
}
