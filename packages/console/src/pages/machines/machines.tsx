import { Button, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { VirtualMachineIcon } from '@patternfly/react-icons/dist/esm/icons/virtual-machine-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { Machine } from '../../api/client.ts';
import { machinesQuery } from '../../api/machine-queries.ts';
import { useWords } from '../../language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useSession } from '../../session.ts';
import { machineKey, machineText, useMachineColumns } from './machine-columns.tsx';
import { kindNames, stateNames } from './machine-state.tsx';
import './machines.css';

type State = Machine['state'];
type Kind = Machine['kind'];

export function Machines() {
  const { t } = useWords();
  const { may } = useSession();
  const [, go] = useLocation();
  const machines = useQuery(machinesQuery);
  const [state, setState] = useState<State | 'all'>('all');
  const [kind, setKind] = useState<Kind | 'all'>('all');
  const columns = useMachineColumns();
  const isWanted = useMemo(
    () => (machine: Machine) =>
      (state === 'all' || machine.state === state) && (kind === 'all' || machine.kind === kind),
    [state, kind],
  );
  const create = may('admin') && <Button onClick={() => go('/machines/new')}>{t('machines.create')}</Button>;
  return (
    <>
      <PageHead title={t('machines.title')} {...(create && { actions: create })} />
      <PageBody>
        <QueryView query={machines}>
          {(rows) => (
            <DataTable
              label={t('machines.title')}
              rows={rows}
              columns={columns}
              rowKey={machineKey}
              text={machineText}
              filter={isWanted}
              tools={
                <>
                  <FormSelect
                    className="nova-filter"
                    aria-label={t('machines.filterState')}
                    value={state}
                    onChange={(_event, value) => setState(value as State)}
                  >
                    <FormSelectOption value="all" label={t('machines.anyState')} />
                    {Object.entries(stateNames).map(([key, name]) => (
                      <FormSelectOption key={key} value={key} label={t(name)} />
                    ))}
                  </FormSelect>
                  <FormSelect
                    className="nova-filter"
                    aria-label={t('machines.filterKind')}
                    value={kind}
                    onChange={(_event, value) => setKind(value as Kind)}
                  >
                    <FormSelectOption value="all" label={t('machines.anyKind')} />
                    {Object.entries(kindNames).map(([key, name]) => (
                      <FormSelectOption key={key} value={key} label={t(name)} />
                    ))}
                  </FormSelect>
                </>
              }
              empty={
                <Nothing icon={VirtualMachineIcon} title={t('machines.none')} {...(create && { action: create })}>
                  {t('machines.noneHint')}
                </Nothing>
              }
            />
          )}
        </QueryView>
      </PageBody>
    </>
  );
}
