import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { Preview } from '../../api/client.ts';
import { capacityQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { PlanTree } from '../../parts/plan-tree.tsx';
import { Topology } from '../../parts/topology.tsx';
import { ChangeList } from '../cluster/change-list.tsx';
import { type Totals, totalsOf } from './totals.ts';

/** Everything that will exist, as a picture and as a tree. */
export function Review({ preview }: { preview: Preview }) {
  const { t } = useWords();
  const { plan, change } = preview;
  const totals = totalsOf(plan);
  const resources = change.catalogs.reduce((sum, { changes }) => sum + changes.length, 0);
  return (
    <>
      <p className="nova-summary">
        <strong>{plan.cluster.name}</strong>: {t('declare.machineCount', { count: plan.nodes.length })} · {totals.cpu}{' '}
        {t('common.cpu')} · {t('common.certificateCount', { count: plan.certificates.length })} ·{' '}
        {t('declare.moduleCount', { count: plan.modules.length })} · {t('declare.resourceCount', { count: resources })}.{' '}
        {t('declare.nothingCreated')}
      </p>
      <HostTotals totals={totals} isOnHost={plan.cluster.provider === 'local'} />
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

/** Memory and disk of the new machines; on the host of the engine, compared with its free resources. */
function HostTotals({ totals, isOnHost }: { totals: Totals; isOnHost: boolean }) {
  const { t, bytes } = useWords();
  const { data: capacity } = useQuery({ ...capacityQuery, enabled: isOnHost });
  return (
    <ul className="nova-plain nova-summary">
      {[
        { title: t('overview.memory'), needed: totals.memoryBytes, free: capacity?.memory.freeBytes },
        { title: t('overview.disk'), needed: totals.diskBytes, free: capacity?.disk.freeBytes },
      ].map(({ title, needed, free }) => {
        const isTight = free !== undefined && needed > free;
        return (
          <li key={title} {...(isTight && { className: 'nova-warning' })}>
            {title}: <strong>{bytes(needed)}</strong>
            {free !== undefined && ` · ${t('declare.freeOnHost', { free: bytes(free) })}`}
            {isTight && ` · ${t('declare.notEnough')}`}
          </li>
        );
      })}
    </ul>
  );
}
