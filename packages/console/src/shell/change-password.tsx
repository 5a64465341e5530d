import { FormGroup, FormHelperText, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { universe } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { Dialog } from '../parts/dialog.tsx';

const shortest = 12;

export function ChangePassword({ onClose }: { onClose: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  return (
    <Dialog
      title={t('common.changePassword')}
      action={t('access.changePassword')}
      isReady={old !== '' && password.length >= shortest}
      onClose={onClose}
      onAction={async () => {
        await universe.changePassword({ body: { old, password } });
        // The old one's sessions have ended with it.
        client.setQueryData(keys.whoami, null);
      }}
    >
      <FormGroup fieldId="old-password" label={t('access.currentPassword')} isRequired>
        <TextInput
          id="old-password"
          type="password"
          autoComplete="current-password"
          value={old}
          onChange={(_event, value) => setOld(value)}
        />
      </FormGroup>
      <FormGroup fieldId="new-password" label={t('access.newPassword')} isRequired>
        <TextInput
          id="new-password"
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={(_event, value) => setPassword(value)}
        />
        <FormHelperText>
          <HelperText>
            <HelperTextItem>{t('access.passwordHintChange', { shortest })}</HelperTextItem>
          </HelperText>
        </FormHelperText>
      </FormGroup>
    </Dialog>
  );
}
