import type { ClusterPlan } from '@nova-platform/plan';
import { FormGroup, NumberInput } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { type Operation, universe } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Loading } from '../../parts/empty.tsx';
import { Roles } from '../../parts/facts.tsx';
import { Failure } from '../../parts/problems.tsx';
import { HostTotals } from '../declare/host-totals.tsx';
import { ChangedTopology, ChangeList } from './change-list.tsx';
import './scale.css';

interface Group {
  name: string;
  roles: readonly string[];
  count: number;
}

interface ScaleProps {
  cluster: string;
  plan: ClusterPlan;
  groups: readonly Group[];
  onClose: () => void;
  onStarted: (operation: Operation | undefined) => void;
}

const most = 1000;

/** Resizes node groups: shows the changes, then applies exactly these. */
export function Scale({ cluster, plan, groups, onClose, onStarted }: ScaleProps) {
  const { t } = useWords();
  const [counts, setCounts] = useState(() => new Map(groups.map(({ name, count }) => [name, count])));
  const wanted = useDeferredValue(
    Object.fromEntries(
      groups.filter(({ name, count }) => counts.get(name) !== count).map(({ name }) => [name, counts.get(name) ?? 0]),
    ),
  );
  const isChanged = Object.keys(wanted).length > 0;
  const preview = useQuery({
    queryKey: ['scale', cluster, wanted],
    queryFn: () => universe.previewScale({ params: { cluster }, body: { groups: wanted } }),
    enabled: isChanged,
    staleTime: 0,
  });
  const set = (name: string, value: number) =>
    setCounts((before) => new Map(before).set(name, Math.max(0, Math.min(most, Math.trunc(value) || 0))));
  return (
    <Dialog
      title={t('clusters.scaleTitle', { name: cluster })}
      action={t('common.apply')}
      isReady={isChanged && preview.data !== undefined && !preview.isFetching}
      isLarge
      onClose={onClose}
      onAction={async () => {
        if (!preview.data) return;
        const body = { groups: wanted, digest: preview.data.digest };
        onStarted((await universe.scaleCluster({ params: { cluster }, body })).operation);
      }}
    >
      <div className="nova-groups">
        {groups.map(({ name, roles, count }) => (
          <FormGroup
            key={name}
            fieldId={`count-${name}`}
            label={
              <>
                {name} <Roles roles={roles} />
              </>
            }
          >
            <NumberInput
              inputProps={{ id: `count-${name}` }}
              inputName={name}
              value={counts.get(name) ?? 0}
              min={0}
              max={most}
              minusBtnAriaLabel={t('clusters.fewerNodes', { group: name })}
              plusBtnAriaLabel={t('clusters.moreNodes', { group: name })}
              onMinus={() => set(name, (counts.get(name) ?? 0) - 1)}
              onPlus={() => set(name, (counts.get(name) ?? 0) + 1)}
              onChange={(event) => set(name, Number((event.target as HTMLInputElement).value))}
            />
            {counts.get(name) !== count && <span className="nova-quiet"> {t('clusters.currentCount', { count })}</span>}
          </FormGroup>
        ))}
      </div>
      {preview.error && <Failure error={preview.error} title={t('clusters.cannotScale')} />}
      {isChanged && preview.isFetching && <Loading lines={2} />}
      {isChanged && preview.data && (
        <>
          <HostTotals resources={preview.data.resources} isMore />
          <ChangeList change={preview.data.change} />
          <ChangedTopology before={plan} preview={preview.data} />
        </>
      )}
    </Dialog>
  );
}
