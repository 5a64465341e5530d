import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import type { Status } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { PageLink } from '../../parts/link.tsx';
import { Message } from '../../parts/message.tsx';
import { Ago } from '../../parts/time.tsx';

/** Machines whose images lack security updates of Debian, as of the last check. */
export function SecurityUpdates({ status: { updates } }: { status: Status }) {
  const { t } = useWords();
  const { checkedAt, machines } = updates;
  if (checkedAt === undefined) {
    return (
      <p className="nova-quiet">
        <Message of="overview.updatesNotChecked" />
      </p>
    );
  }
  return (
    <>
      {machines.length === 0 ? (
        <p className="nova-fine">
          <CheckCircleIcon className="nova-good" /> {t('overview.noUpdatesMissing')}
        </p>
      ) : (
        <ul className="nova-plain">
          {machines.slice(0, 8).map(({ name, security }) => (
            <li key={name} className="nova-fine">
              {name === 'universe' ? 'Universe' : <PageLink to={`/machines/${name}`}>{name}</PageLink>}{' '}
              <span className="nova-warning">{t('overview.updatesMissing', { count: security.length })}</span>
            </li>
          ))}
          {machines.length > 8 && (
            <li className="nova-quiet">{t('overview.moreMachines', { count: machines.length - 8 })}</li>
          )}
        </ul>
      )}
      <p className="nova-quiet">
        <Message of="overview.checkedAt" parts={{ when: <Ago at={checkedAt} /> }} />
      </p>
    </>
  );
}
