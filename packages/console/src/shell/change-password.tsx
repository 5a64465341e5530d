import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { universe } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { PasswordField, shortestPassword } from '../parts/password-field.tsx';

export function ChangePassword({ onClose }: { onClose: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  return (
    <Dialog
      title={t('common.changePassword')}
      action={t('access.changePassword')}
      isReady={old !== '' && password.length >= shortestPassword}
      onClose={onClose}
      onAction={async () => {
        await universe.changePassword({ body: { old, password } });
        // The server ends all sessions of the old password.
        client.setQueryData(keys.whoami, null);
      }}
    >
      <PasswordField id="old-password" label={t('access.currentPassword')} isRequired value={old} onChange={setOld} />
      <PasswordField
        id="new-password"
        label={t('access.newPassword')}
        isNew
        isRequired
        hint={t('access.passwordHintChange', { shortest: shortestPassword })}
        value={password}
        onChange={setPassword}
      />
    </Dialog>
  );
}
