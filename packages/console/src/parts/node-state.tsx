import type { Health } from '../api/client.ts';
import { useWords } from '../language.tsx';
import { StateLabel } from './states.tsx';

type Node = Pick<Health['nodes'][number], 'machine' | 'isReady'>;

/** The state of a node in Kubernetes; while its machine is stopped, that of the machine. */
export function NodeState({ node: { isReady, machine }, isCompact = false }: { node: Node; isCompact?: boolean }) {
  const { t } = useWords();
  if (machine === 'stopped') return <StateLabel look="quiet" text={t('common.stopped')} isCompact={isCompact} />;
  if (isReady === undefined) return <StateLabel look="quiet" text={t('common.unknown')} isCompact={isCompact} />;
  return isReady ? (
    <StateLabel look="good" text={t('common.ready')} isCompact={isCompact} />
  ) : (
    <StateLabel look="bad" text={t('common.notReady')} isCompact={isCompact} />
  );
}
