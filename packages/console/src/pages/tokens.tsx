import {
  Alert,
  Button,
  ClipboardCopy,
  FormGroup,
  FormSelect,
  FormSelectOption,
  Modal,
  ModalBody,
  ModalFooter,
  ModalHeader,
  TextInput,
} from '@patternfly/react-core';
import { KeyIcon } from '@patternfly/react-icons/dist/esm/icons/key-icon.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Role, type Token, universe } from '../api/client.ts';
import { keys, tokensQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Nothing } from '../parts/empty.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { alertLabel } from '../parts/problems.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { roleNames } from '../parts/roles.ts';
import { Ago } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import { RoleChoice } from './role-choice.tsx';

const days = [1, 7, 30, 90, 365];
const daySeconds = 24 * 3600;

export function Tokens() {
  const { t } = useWords();
  const { may } = useSession();
  const client = useQueryClient();
  const tokens = useQuery(tokensQuery);
  const [isCreating, setIsCreating] = useState(false);
  const [removed, setRemoved] = useState<Token>();
  const [secret, setSecret] = useState<string>();
  const isAdmin = may('admin');
  const columns = useMemo(
    (): Column<Token>[] => [
      {
        key: 'name',
        title: t('access.tokenPurpose'),
        cell: ({ name }) => <strong>{name}</strong>,
        sort: ({ name }) => name,
        width: 1.4,
      },
      ...(isAdmin
        ? [
            {
              key: 'user',
              title: t('access.user'),
              cell: ({ user }: Token) => user,
              sort: ({ user }: Token) => user,
            },
          ]
        : []),
      {
        key: 'role',
        title: t('common.role'),
        cell: ({ role }) => t(roleNames[role]),
        sort: ({ role }) => role,
      },
      {
        key: 'used',
        title: t('access.lastUsed'),
        cell: ({ usedAt }) => <Ago at={usedAt} />,
        sort: ({ usedAt }) => usedAt ?? '',
      },
      {
        key: 'expires',
        title: t('common.expires'),
        cell: ({ expiresAt }) => <Ago at={expiresAt} />,
        sort: ({ expiresAt }) => expiresAt,
      },
      {
        key: 'actions',
        title: t('common.actions'),
        cell: (token) => (
          <Button
            variant="link"
            isInline
            isDanger
            onClick={() => setRemoved(token)}
            aria-label={t('access.revokeNamed', { name: token.name })}
          >
            {t('access.revoke')}
          </Button>
        ),
      },
    ],
    [t, isAdmin],
  );
  return (
    <>
      <PageHead
        title={t('common.tokens')}
        description={t('access.tokensHint')}
        actions={<Button onClick={() => setIsCreating(true)}>{t('access.createToken')}</Button>}
      />
      <PageBody>
        <QueryView query={tokens}>
          {(rows) => (
            <DataTable
              label={t('common.tokens')}
              rows={rows}
              columns={columns}
              rowKey={({ id }) => id}
              text={tokenText}
              empty={<Nothing icon={KeyIcon} title={t('access.noTokens')} />}
            />
          )}
        </QueryView>
      </PageBody>
      {isCreating && <TokenForm onClose={() => setIsCreating(false)} onCreated={setSecret} />}
      {removed && (
        <Dialog
          title={t('access.revokeTitle', { name: removed.name })}
          action={t('access.revoke')}
          isDangerous
          onClose={() => setRemoved(undefined)}
          onAction={async () => {
            await universe.removeToken({ params: { id: removed.id } });
            await client.invalidateQueries({ queryKey: keys.tokens });
          }}
        >
          <p>{t('access.revokeText')}</p>
        </Dialog>
      )}
      {secret !== undefined && (
        <Modal isOpen variant="medium" onClose={() => setSecret(undefined)} aria-labelledby="token-title">
          <ModalHeader title={t('access.tokenCreated')} labelId="token-title" />
          <ModalBody>
            <Alert variant="warning" isInline isPlain title={t('access.copyTokenNow')} {...alertLabel(t)} />
            <ClipboardCopy
              isReadOnly
              hoverTip={t('common.copy')}
              clickTip={t('common.copied')}
              textAriaLabel={t('access.token')}
            >
              {secret}
            </ClipboardCopy>
          </ModalBody>
          <ModalFooter>
            <Button onClick={() => setSecret(undefined)}>{t('access.done')}</Button>
          </ModalFooter>
        </Modal>
      )}
    </>
  );
}

const tokenText = ({ name, user, role }: Token) => `${name} ${user} ${role}`;

function TokenForm({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: string) => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [lifetime, setLifetime] = useState(30);
  return (
    <Dialog
      title={t('access.createToken')}
      action={t('access.create')}
      isReady={name !== ''}
      onClose={onClose}
      onAction={async () => {
        const { token } = await universe.createAccessToken({ body: { name, role, seconds: lifetime * daySeconds } });
        await client.invalidateQueries({ queryKey: keys.tokens });
        onCreated(token);
      }}
    >
      <FormGroup fieldId="token-name" label={t('access.tokenPurpose')} isRequired>
        <TextInput
          id="token-name"
          value={name}
          placeholder={t('access.tokenPurposeExample')}
          onChange={(_event, value) => setName(value)}
          maxLength={63}
        />
      </FormGroup>
      <RoleChoice role={role} onChange={setRole} />
      <FormGroup fieldId="token-lifetime" label={t('access.tokenLifetime')} isRequired>
        <FormSelect id="token-lifetime" value={lifetime} onChange={(_event, value) => setLifetime(Number(value))}>
          {days.map((each) => (
            <FormSelectOption key={each} value={each} label={t('access.dayCount', { count: each })} />
          ))}
        </FormSelect>
      </FormGroup>
    </Dialog>
  );
}
