import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import type { Status } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { PageLink } from '../../parts/link.tsx';

export function EndingCertificates({ status: { endingCertificates } }: { status: Status }) {
  const { t, dateTime } = useWords();
  if (endingCertificates.length === 0) {
    return (
      <p className="nova-fine">
        <CheckCircleIcon className="nova-good" /> {t('overview.certificatesRenewed')}
      </p>
    );
  }
  return (
    <ul className="nova-plain">
      {endingCertificates.slice(0, 8).map(({ name, node, notAfter }) => (
        <li key={`${node} ${name}`}>
          {node === undefined ? name : <PageLink to={`/nodes/${node}`}>{`${node}: ${name}`}</PageLink>}{' '}
          <span className="nova-quiet">{dateTime(notAfter)}</span>
        </li>
      ))}
    </ul>
  );
}
