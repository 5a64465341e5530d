import { ExpandableSection } from '@patternfly/react-core';
import { useState } from 'react';
import type { Report } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { RunLabel, StateLabel } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import './reports.css';

/** The changes of each run and their cause: a new catalog, or drift. */
export function Reports({ reports }: { reports: readonly Report[] }) {
  const { t } = useWords();
  if (reports.length === 0) {
    return <Nothing title={t('nodes.noReports')}>{t('nodes.noReportsHint')}</Nothing>;
  }
  return (
    <ul className="nova-plain nova-reports">
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
        {t('nodes.reportSummary', {
          changed: resources.changed,
          total: resources.total,
          drifted: resources.corrective,
          failed: resources.failed,
          seconds: number(seconds, 1),
        })}
      </span>
      {isNoop && <StateLabel look="quiet" text={t('nodes.dryRunLabel')} isCompact />}
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
          {t('nodes.catalog')} <code>{catalog}</code>
        </p>
        {changes.length === 0 && <p>{t('nodes.nothingChanged')}</p>}
        <ul className="nova-plain nova-changes">
          {changes.map((change) => (
            <li
              key={JSON.stringify(change)}
              className={`nova-change nova-change-${change.outcome === 'failed' ? 'failed' : 'done'}`}
            >
              <div>
                <code>{change.resource}</code>{' '}
                {change.property !== '' && <span className="nova-quiet">{change.property}</span>}{' '}
                {change.isCorrective && <StateLabel look="warning" text={t('nodes.drift')} isCompact />}
                {change.outcome === 'would change' && (
                  <StateLabel look="quiet" text={t('nodes.wouldChange')} isCompact />
                )}
                {change.outcome === 'failed' && <StateLabel look="bad" text={t('common.failedLower')} isCompact />}
              </div>
              {change.message !== '' && <div className="nova-change-message">{change.message}</div>}
            </li>
          ))}
        </ul>
        {skipped.length > 0 && <p>{t('nodes.skipped', { resources: skipped.join(', ') })}</p>}
        {log.length > 0 && (
          <pre className="nova-command">{log.map(({ level, message }) => `${level}: ${message}`).join('\n')}</pre>
        )}
      </ExpandableSection>
    </li>
  );
}
