import { Button, FormGroup, TextInput } from '@patternfly/react-core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Role, type User, universe } from '../api/client.ts';
import { keys, usersQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ConfirmByName, Dialog } from '../parts/dialog.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { PasswordField, shortestPassword } from '../parts/password-field.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { roleNames } from '../parts/roles.ts';
import { StateLabel } from '../parts/states.tsx';
import { Ago } from '../parts/time.tsx';
import { RoleChoice } from './role-choice.tsx';

export function Users() {
  const { t } = useWords();
  const users = useQuery(usersQuery);
  const [dialog, setDialog] = useState<{ what: 'create' } | { what: 'change' | 'remove'; user: User }>();
  const columns = useMemo(
    (): Column<User>[] => [
      {
        key: 'name',
        title: t('common.name'),
        cell: ({ name }) => <strong>{name}</strong>,
        sort: ({ name }) => name,
      },
      {
        key: 'role',
        title: t('common.role'),
        cell: ({ role }) => t(roleNames[role]),
        sort: ({ role }) => role,
      },
      {
        key: 'password',
        title: t('access.password'),
        cell: ({ hasPassword }) =>
          hasPassword ? t('access.passwordSet') : <StateLabel look="quiet" text={t('access.noPassword')} isCompact />,
      },
      {
        key: 'created',
        title: t('access.created'),
        cell: ({ createdAt }) => <Ago at={createdAt} />,
        sort: ({ createdAt }) => createdAt,
      },
      {
        key: 'actions',
        title: t('common.actions'),
        cell: (user) => (
          <>
            <Button
              variant="link"
              isInline
              onClick={() => setDialog({ what: 'change', user })}
              aria-label={t('access.editUser', { name: user.name })}
            >
              {t('common.change')}
            </Button>{' '}
            <Button
              variant="link"
              isInline
              isDanger
              onClick={() => setDialog({ what: 'remove', user })}
              aria-label={t('common.removeNamed', { name: user.name })}
            >
              {t('common.remove')}
            </Button>
          </>
        ),
      },
    ],
    [t],
  );
  const close = () => setDialog(undefined);
  return (
    <>
      <PageHead
        title={t('common.users')}
        description={t('access.usersHint')}
        actions={<Button onClick={() => setDialog({ what: 'create' })}>{t('access.addUser')}</Button>}
      />
      <PageBody>
        <QueryView query={users}>
          {(rows) => (
            <DataTable
              label={t('common.users')}
              rows={rows}
              columns={columns}
              rowKey={({ name }) => name}
              text={userText}
              empty={null}
            />
          )}
        </QueryView>
      </PageBody>
      {dialog?.what === 'create' && <UserForm onClose={close} />}
      {dialog?.what === 'change' && <UserForm user={dialog.user} onClose={close} />}
      {dialog?.what === 'remove' && <Removal user={dialog.user} onClose={close} />}
    </>
  );
}

const userText = ({ name, role }: User) => `${name} ${role}`;

function Removal({ user: { name }, onClose }: { user: User; onClose: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  return (
    <ConfirmByName
      name={name}
      title={t('access.removeUserTitle', { name })}
      action={t('common.remove')}
      onClose={onClose}
      onAction={async () => {
        await universe.removeUser({ params: { user: name } });
        await client.invalidateQueries({ queryKey: keys.users });
      }}
    >
      <p>{t('access.removeUserText')}</p>
    </ConfirmByName>
  );
}

function UserForm({ user, onClose }: { user?: User; onClose: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const [name, setName] = useState(user?.name ?? '');
  const [role, setRole] = useState<Role>(user?.role ?? 'viewer');
  const [password, setPassword] = useState('');
  const isPasswordRight = password === '' || password.length >= shortestPassword;
  return (
    <Dialog
      title={user ? t('access.editUser', { name: user.name }) : t('access.addUser')}
      action={user ? t('access.save') : t('access.add')}
      isReady={name !== '' && isPasswordRight}
      onClose={onClose}
      onAction={async () => {
        const given = password === '' ? {} : { password };
        if (user) await universe.changeUser({ params: { user: name }, body: { role, ...given } });
        else await universe.createUser({ body: { name, role, ...given } });
        await client.invalidateQueries({ queryKey: keys.users });
      }}
    >
      {!user && (
        <FormGroup fieldId="user-name" label={t('common.name')} isRequired>
          <TextInput
            id="user-name"
            value={name}
            onChange={(_event, value) => setName(value)}
            autoComplete="off"
            spellCheck={false}
          />
        </FormGroup>
      )}
      <RoleChoice role={role} onChange={setRole} />
      <PasswordField
        id="user-password"
        label={t('access.password')}
        isNew
        isWrong={!isPasswordRight}
        hint={t(user ? 'access.passwordHintEdit' : 'access.passwordHintAdd', { shortest: shortestPassword })}
        value={password}
        onChange={setPassword}
      />
    </Dialog>
  );
}
