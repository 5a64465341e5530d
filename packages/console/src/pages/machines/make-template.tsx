import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { universe } from '../../api/client.ts';
import { machineImagesQuery } from '../../api/machine-queries.ts';
import { useWords } from '../../language.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/fields.tsx';
import { freeName } from '../../parts/free-name.ts';
import { ProblemItem } from '../../parts/problems.tsx';
import { useProblems } from '../../parts/use-problems.ts';
import { useFollowed } from './use-followed.ts';

/** Creates a template from a stopped machine. */
export function MakeTemplate({ machine, onClose }: { machine: string; onClose: () => void }) {
  const { t } = useWords();
  const follow = useFollowed();
  const { data: images = [] } = useQuery(machineImagesQuery);
  const [typed, setTyped] = useState('');
  const [description, setDescription] = useState('');
  const ownName = freeName(
    machine,
    images.map(({ name }) => name),
  );
  const body = { name: typed || ownName, machine, description };
  const { problems, isReady, at } = useProblems('template', body, universe.checkTemplate);
  return (
    <Dialog
      title={t('machines.templateTitle', { name: machine })}
      action={t('declare.create')}
      isReady={isReady}
      onClose={onClose}
      onAction={() => follow(universe.createTemplate({ body }))}
    >
      <TextField
        id="template-name"
        label={t('common.name')}
        value={typed}
        placeholder={t('declare.defaultHint', { value: ownName })}
        problems={at('name')}
        onChange={(value) => setTyped(value.trim())}
      />
      <TextField
        id="template-description"
        label={t('machines.description')}
        value={description}
        problems={at('description')}
        onChange={setDescription}
      />
      {problems
        .filter(({ path = [] }) => !['name', 'description'].includes(String(path[0])))
        .map((problem) => (
          <ProblemItem key={JSON.stringify(problem)} problem={problem} />
        ))}
      <p>{t('machines.templateText')}</p>
    </Dialog>
  );
}
