import { ExclamationCircleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon.js';
import { ExclamationTriangleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon.js';
import type { Finding } from '../api/client.ts';
import { useWords } from '../language.tsx';
import { Remedy, textOfProblem } from './problems.tsx';
import { RemedyActions } from './remedy-actions.tsx';
import './findings.css';

/** Findings: each with its chain of causes and the fix. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const { t, language } = useWords();
  return (
    <ul className="nova-plain">
      {findings.map(({ severity, chain }) => {
        const [noticed, ...causes] = chain.map((problem) => ({
          ...textOfProblem(problem, language),
          code: problem.code,
        }));
        const last = causes.at(-1) ?? noticed;
        if (!noticed) return null;
        return (
          <li key={JSON.stringify(chain)} className={`nova-finding nova-finding-${severity}`}>
            <span className="nova-finding-icon">
              {severity === 'error' ? (
                <ExclamationCircleIcon className="nova-bad" aria-label={t('common.error')} role="img" />
              ) : (
                <ExclamationTriangleIcon className="nova-warning" aria-label={t('common.warning')} role="img" />
              )}
            </span>
            <div>
              <div className="nova-finding-title">
                {noticed.message} <span className="nova-code">{noticed.code}</span>
              </div>
              {causes.map(({ message, code }, depth) => (
                <div
                  key={`${code} ${message}`}
                  className="nova-cause"
                  style={{ marginInlineStart: `calc(${depth} * var(--pf-t--global--spacer--lg))` }}
                >
                  <span className="nova-quiet">{t('common.because')}</span> {message}{' '}
                  <span className="nova-code">{code}</span>
                </div>
              ))}
              {last && last.remedy !== '' && (
                <div className="nova-finding-remedy">
                  <RemedyActions remedy={last.remedy} />
                  <strong>{t('common.fix')}</strong> <Remedy text={last.remedy} />
                </div>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
