import { type ReactNode, useState } from 'react';
import { useWords } from '../../language.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { NameField, TextField } from '../../parts/fields.tsx';
import { OtherProblems, type ReportedProblem } from '../../parts/problems.tsx';
import { useProblems } from '../../parts/use-problems.ts';

type Named = Record<'name' | 'description', string>;

interface CreateNamedProps {
  kind: 'snapshot' | 'template';
  title: string;
  /** The name unless another one is typed. */
  ownName: string;
  check: (named: Named) => Promise<{ problems: ReportedProblem[] }>;
  create: (named: Named) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** Creates a snapshot or a template: it has a name and a description. */
export function CreateNamed({ kind, title, ownName, check, create, onClose, children }: CreateNamedProps) {
  const { t } = useWords();
  const [typed, setTyped] = useState('');
  const [description, setDescription] = useState('');
  const named = { name: typed || ownName, description };
  const { problems, isReady, at } = useProblems(title, named, ({ body }) => check(body));
  return (
    <Dialog
      title={title}
      action={t('declare.create')}
      isReady={isReady}
      onClose={onClose}
      onAction={() => create(named)}
    >
      <NameField id={`${kind}-name`} value={typed} ownName={ownName} problems={at('name')} onChange={setTyped} />
      <TextField
        id={`${kind}-description`}
        label={t('machines.description')}
        value={description}
        problems={at('description')}
        onChange={setDescription}
      />
      <OtherProblems problems={problems} fields={['name', 'description']} />
      <p>{children}</p>
    </Dialog>
  );
}
