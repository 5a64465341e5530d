import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import type { Preview } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { PlanTree } from '../../parts/plan-tree.tsx';
import { Topology } from '../../parts/topology.tsx';
import { ChangeList } from '../cluster/change-list.tsx';

/** Everything that would exist, as a picture and as a tree. */
export function Review({ preview }: { preview: Preview }) {
  const { t, count } = useWords();
  const { plan, change } = preview;
  const cpu = plan.nodes.reduce((sum, node) => sum + node.cpu, 0);
  const resources = change.catalogs.reduce((sum, { changes }) => sum + changes.length, 0);
  return (
    <>
      <p className="nova-summary">
        <strong>{plan.cluster.name}</strong>:{' '}
        {count(plan.nodes.length, { en: ['machine', 'machines'], ru: ['машина', 'машины', 'машин'] })} · {cpu}{' '}
        {t({ en: 'CPU', ru: 'ЦП' })} ·{' '}
        {count(plan.certificates.length, {
          en: ['certificate', 'certificates'],
          ru: ['сертификат', 'сертификата', 'сертификатов'],
        })}{' '}
        · {count(plan.modules.length, { en: ['module', 'modules'], ru: ['модуль', 'модуля', 'модулей'] })} ·{' '}
        {count(resources, {
          en: ['resource on nodes', 'resources on nodes'],
          ru: ['ресурс на узлах', 'ресурса на узлах', 'ресурсов на узлах'],
        })}
        . {t({ en: 'Nothing has been made yet.', ru: 'Пока ничего не создано.' })}
      </p>
      <Card>
        <CardTitle component="h2">{t({ en: 'Topology', ru: 'Топология' })}</CardTitle>
        <CardBody>
          <Topology plan={plan} />
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t({ en: 'What would be created', ru: 'Что будет создано' })}</CardTitle>
        <CardBody>
          <ChangeList change={change} />
        </CardBody>
      </Card>
      <Card>
        <CardTitle component="h2">{t({ en: 'Plan', ru: 'План' })}</CardTitle>
        <CardBody>
          <PlanTree plan={plan} />
        </CardBody>
      </Card>
    </>
  );
}
