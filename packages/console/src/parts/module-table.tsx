import { useMemo } from 'react';
import type { Modules } from '../api/client.ts';
import { useWords } from '../language.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { Nothing } from './empty.tsx';
import { Roles } from './facts.tsx';

type Module = Pick<Modules['modules'][number], 'name' | 'category' | 'version' | 'needs' | 'description'>;

interface ModuleTableProps<Row extends Module> {
  modules: readonly Row[];
  /** Additional columns. */
  more?: readonly Column<Row>[];
}

/** Modules of a release: their descriptions and dependencies. */
export function ModuleTable<Row extends Module>({ modules, more = [] }: ModuleTableProps<Row>) {
  const { t, language } = useWords();
  const columns = useMemo(
    (): Column<Row>[] => [
      {
        key: 'name',
        title: t('modules.module'),
        cell: ({ name, description }) => (
          <>
            <strong>{name}</strong>
            <div className="nova-quiet">{description[language].replaceAll('`', '')}</div>
          </>
        ),
        sort: ({ name }) => name,
        width: 2.4,
      },
      {
        key: 'category',
        title: t('common.type'),
        cell: ({ category }) => (category === 'base' ? t('common.baseModule') : t('common.additionalModule')),
        sort: ({ category }) => category,
        width: 1.5,
      },
      { key: 'version', title: t('common.version'), cell: ({ version }) => version, width: 0.9 },
      {
        key: 'needs',
        title: t('modules.needs'),
        cell: ({ needs }) => (needs.length > 0 ? <Roles roles={needs} /> : '—'),
        width: 1,
      },
      ...more,
    ],
    [t, language, more],
  );
  return (
    <DataTable
      label={t('common.modules')}
      rows={modules}
      columns={columns}
      rowKey={({ name }) => name}
      empty={<Nothing title={t('modules.noModules')} />}
      isWhole
    />
  );
}
