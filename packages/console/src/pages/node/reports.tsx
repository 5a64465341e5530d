import { ExpandableSection } from '@patternfly/react-core';
import { useState } from 'react';
import type { Report } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { RunLabel, StateLabel } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';

/** What each run did and why: what is new in the catalog, or what somebody changed by hand. */
export function Reports({ reports }: { reports: readonly Report[] }) {
  const { t } = useWords();
  if (reports.length === 0) {
    return (
      <Nothing title={t({ en: 'No run was reported yet', ru: 'Отчётов пока нет' })}>
        {t({
          en: 'An agent reports what it did after every run.',
          ru: 'Агент сообщает о сделанном после каждого запуска.',
        })}
      </Nothing>
    );
  }
  return (
    <ul className="nova-reports">
      {reports.map((report, index) => (
        <ReportItem key={report.id} report={report} isFirst={index === 0} />
      ))}
    </ul>
  );
}

function ReportItem({ report, isFirst }: { report: Report; isFirst: boolean }) {
  const { t, number } = useWords();
  const [isOpen, setIsOpen] = useState(isFirst && report.changes.length > 0);
  const { receivedAt, status, isNoop, seconds, resources, changes, skipped, log, catalog } = report;
  const summary = (
    <span className="nova-report-summary">
      <RunLabel status={status} /> <Ago at={receivedAt} />
      <span className="nova-quiet">
        {t({
          en: `${resources.changed} of ${number(resources.total)} resources changed, ${resources.corrective} drifted, ${resources.failed} failed, ${number(seconds, 1)} s`,
          ru: `изменено ${resources.changed} из ${number(resources.total)}, отклонений ${resources.corrective}, сбоев ${resources.failed}, ${number(seconds, 1)} с`,
        })}
      </span>
      {isNoop && <StateLabel look="quiet" text={t({ en: 'only looked', ru: 'только проверка' })} isCompact />}
    </span>
  );
  return (
    <li>
      <ExpandableSection
        toggleContent={summary}
        isExpanded={isOpen}
        onToggle={(_event, isExpanded) => setIsOpen(isExpanded)}
      >
        <p className="nova-quiet">
          {t({ en: 'Catalog', ru: 'Каталог' })} <code>{catalog}</code>
        </p>
        {changes.length === 0 && <p>{t({ en: 'Nothing had to be changed.', ru: 'Менять ничего не пришлось.' })}</p>}
        <ul className="nova-changes">
          {changes.map((change) => (
            <li
              key={JSON.stringify(change)}
              className={`nova-change nova-change-${change.outcome === 'failed' ? 'failed' : 'done'}`}
            >
              <div>
                <code>{change.resource}</code>{' '}
                {change.property !== '' && <span className="nova-quiet">{change.property}</span>}{' '}
                {change.isCorrective && (
                  <StateLabel look="warning" text={t({ en: 'drift', ru: 'отклонение' })} isCompact />
                )}
                {change.outcome === 'would change' && (
                  <StateLabel look="quiet" text={t({ en: 'would change', ru: 'изменилось бы' })} isCompact />
                )}
                {change.outcome === 'failed' && (
                  <StateLabel look="bad" text={t({ en: 'failed', ru: 'сбой' })} isCompact />
                )}
              </div>
              {change.message !== '' && <div className="nova-change-message">{change.message}</div>}
            </li>
          ))}
        </ul>
        {skipped.length > 0 && (
          <p>
            {t({
              en: 'Left out because something they need failed: ',
              ru: 'Пропущены из-за сбоя того, что им нужно: ',
            })}
            {skipped.join(', ')}
          </p>
        )}
        {log.length > 0 && (
          <pre className="nova-command">{log.map(({ level, message }) => `${level}: ${message}`).join('\n')}</pre>
        )}
      </ExpandableSection>
    </li>
  );
}
