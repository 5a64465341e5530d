import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import { ExclamationCircleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon.js';
import type { Status } from '../../api/client.ts';
import { type PlainKey, useWords, type Words } from '../../language.tsx';
import { Message } from '../../parts/message.tsx';
import { Ago } from '../../parts/time.tsx';
import './services.css';

const serviceNames: Record<string, PlainKey> = {
  store: 'overview.serviceStore',
  'configuration manager': 'overview.serviceConfiguration',
  registry: 'overview.serviceRegistry',
  resolver: 'overview.serviceResolver',
  git: 'overview.serviceGit',
  engine: 'overview.serviceEngine',
};

/** A service unknown to this console version is shown by its raw name. */
export function serviceName(name: string, t: Words['t']): string {
  const key = serviceNames[name];
  return key === undefined ? name : t(key);
}

export function Services({ status }: { status: Status }) {
  const { t, bytes } = useWords();
  return (
    <>
      <ul className="nova-plain nova-services">
        {status.services.map(({ name, isReady }) => (
          <li key={name}>
            {isReady ? (
              <CheckCircleIcon className="nova-good" role="img" aria-label={t('overview.serviceWorks')} />
            ) : (
              <ExclamationCircleIcon className="nova-bad" role="img" aria-label={t('overview.serviceBroken')} />
            )}
            {serviceName(name, t)}
          </li>
        ))}
      </ul>
      <p className="nova-quiet">
        <Message
          of="overview.versionAndMemory"
          parts={{
            version: status.version,
            memory: bytes(status.memoryBytes),
            when: <Ago at={status.startedAt} />,
          }}
        />
      </p>
    </>
  );
}
