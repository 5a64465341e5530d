import { useQuery } from '@tanstack/react-query';
import { universe } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ChangeList } from './change-list.tsx';
import { useStarted } from './use-started.ts';

interface ModuleChangeProps {
  cluster: string;
  name: string;
  isOn: boolean;
  onClose: () => void;
}

/** Enables or disables a module: shows the changes, then applies exactly these. */
export function ModuleChange({ cluster, name, isOn, onClose }: ModuleChangeProps) {
  const { t } = useWords();
  const started = useStarted();
  const params = { cluster };
  const modules = { [name]: isOn };
  const preview = useQuery({
    queryKey: ['module', cluster, name, isOn],
    queryFn: () => universe.previewModules({ params, body: { modules } }),
    // An earlier preview may be out of date.
    gcTime: 0,
  });
  return (
    <Dialog
      title={isOn ? t('modules.enableTitle', { name, cluster }) : t('modules.disableTitle', { name, cluster })}
      action={isOn ? t('modules.enable') : t('modules.disable')}
      isDangerous={!isOn}
      isReady={preview.data !== undefined && !preview.isFetching}
      onClose={onClose}
      onAction={async () => {
        if (!preview.data) return;
        const body = { modules, digest: preview.data.digest };
        started((await universe.changeModules({ params, body })).operation);
      }}
    >
      <QueryView query={preview}>
        {(shown) => (
          <>
            <ChangeList change={shown.change} />
            {shown.change.catalogs.length === 0 && <p className="nova-quiet">{t('modules.nodesUnchanged')}</p>}
          </>
        )}
      </QueryView>
    </Dialog>
  );
}
