import { universe } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Command } from '../../parts/command.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { download } from '../../parts/download.ts';
import { Message } from '../../parts/message.tsx';
import { kubeconfigText } from './kubeconfig.ts';

/** Downloads a kubeconfig with the permissions of the user's role. */
export function KubeconfigDialog({ cluster, onClose }: { cluster: string; onClose: () => void }) {
  const { t } = useWords();
  return (
    <Dialog
      title={t('clusters.accessTitle', { name: cluster })}
      action={t('common.download')}
      onClose={onClose}
      onAction={async () =>
        download(`${cluster}.kubeconfig`, kubeconfigText(cluster, await universe.kubeconfig({ params: { cluster } })))
      }
    >
      <p>{t('clusters.kubeconfigHint')}</p>
      <div>
        <Command code={`kubectl --kubeconfig ${cluster}.kubeconfig get nodes`} />
      </div>
      <div className="nova-quiet">
        <Message
          of="clusters.kubeconfigRenewed"
          parts={{ command: <Command code={`nova-ctl kubeconfig ${cluster} --merge`} /> }}
        />
      </div>
    </Dialog>
  );
}
