import { useQuery } from '@tanstack/react-query';
import { universe } from '../../api/client.ts';
import { machineImagesQuery } from '../../api/machine-queries.ts';
import { useWords } from '../../language.tsx';
import { freeName } from '../../parts/free-name.ts';
import { useStarted } from '../cluster/use-started.ts';
import { CreateNamed } from './create-named.tsx';

/** Creates a template from a stopped machine. */
export function MakeTemplate({ machine, onClose }: { machine: string; onClose: () => void }) {
  const { t } = useWords();
  const started = useStarted();
  const { data: images = [] } = useQuery(machineImagesQuery);
  return (
    <CreateNamed
      kind="template"
      title={t('machines.templateTitle', { name: machine })}
      ownName={freeName(
        machine,
        images.map(({ name }) => name),
      )}
      check={(body) => universe.checkTemplate({ body: { ...body, machine } })}
      create={async (body) => started(await universe.createTemplate({ body: { ...body, machine } }))}
      onClose={onClose}
    >
      {t('machines.templateText')}
    </CreateNamed>
  );
}
