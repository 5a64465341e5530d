import { Button, FormGroup, FormHelperText, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Role, type User, universe } from '../api/client.ts';
import { keys, usersQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { ConfirmByName, Dialog } from '../parts/dialog.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { StateLabel } from '../parts/states.tsx';
import { Ago } from '../parts/time.tsx';
import { roleNames } from '../shell/preferences.tsx';
import { RoleChoice } from './role-choice.tsx';

const shortestPassword = 12;

export function Users() {
  const { t } = useWords();
  const users = useQuery(usersQuery);
  const [asked, setAsked] = useState<{ what: 'create' } | { what: 'change' | 'remove'; user: User }>();
  const columns = useMemo(
    (): Column<User>[] => [
      {
        key: 'name',
        title: t({ en: 'Name', ru: 'Имя' }),
        cell: ({ name }) => <strong>{name}</strong>,
        sort: ({ name }) => name,
      },
      {
        key: 'role',
        title: t({ en: 'Role', ru: 'Роль' }),
        cell: ({ role }) => t(roleNames[role]),
        sort: ({ role }) => role,
      },
      {
        key: 'password',
        title: t({ en: 'Password', ru: 'Пароль' }),
        cell: ({ hasPassword }) =>
          hasPassword ? (
            t({ en: 'set', ru: 'задан' })
          ) : (
            <StateLabel look="quiet" text={t({ en: 'none: tokens only', ru: 'нет: только токены' })} isCompact />
          ),
      },
      {
        key: 'created',
        title: t({ en: 'Since', ru: 'Создан' }),
        cell: ({ createdAt }) => <Ago at={createdAt} />,
        sort: ({ createdAt }) => createdAt,
      },
      {
        key: 'actions',
        title: t({ en: 'Actions', ru: 'Действия' }),
        cell: (user) => (
          <>
            <Button
              variant="link"
              isInline
              onClick={() => setAsked({ what: 'change', user })}
              aria-label={t({ en: `Change ${user.name}`, ru: `Изменить ${user.name}` })}
            >
              {t({ en: 'Change', ru: 'Изменить' })}
            </Button>{' '}
            <Button
              variant="link"
              isInline
              isDanger
              onClick={() => setAsked({ what: 'remove', user })}
              aria-label={t({ en: `Remove ${user.name}`, ru: `Удалить ${user.name}` })}
            >
              {t({ en: 'Remove', ru: 'Удалить' })}
            </Button>
          </>
        ),
      },
    ],
    [t],
  );
  const close = () => setAsked(undefined);
  return (
    <>
      <PageHead
        title={t({ en: 'Users', ru: 'Пользователи' })}
        description={t({
          en: 'Viewers look; operators also change clusters; administrators also let people in and read the audit trail.',
          ru: 'Наблюдатели смотрят; операторы также меняют кластеры; администраторы также управляют доступом и читают журнал аудита.',
        })}
        actions={
          <Button onClick={() => setAsked({ what: 'create' })}>
            {t({ en: 'Let somebody in', ru: 'Добавить пользователя' })}
          </Button>
        }
      />
      <PageBody>
        <QueryView query={users}>
          {(rows) => (
            <DataTable
              label={t({ en: 'Users', ru: 'Пользователи' })}
              rows={rows}
              columns={columns}
              rowKey={({ name }) => name}
              text={userText}
              empty={null}
            />
          )}
        </QueryView>
      </PageBody>
      {asked?.what === 'create' && <UserForm onClose={close} />}
      {asked?.what === 'change' && <UserForm user={asked.user} onClose={close} />}
      {asked?.what === 'remove' && <Removal user={asked.user} onClose={close} />}
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
      title={t({ en: `Remove ${name}?`, ru: `Удалить ${name}?` })}
      action={t({ en: 'Remove', ru: 'Удалить' })}
      onClose={onClose}
      onAction={async () => {
        await universe.removeUser({ params: { user: name } });
        await client.invalidateQueries({ queryKey: keys.users });
      }}
    >
      <p>
        {t({
          en: 'All tokens and sessions of this person end at once.',
          ru: 'Все токены и сеансы этого пользователя сразу перестанут действовать.',
        })}
      </p>
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
      title={
        user
          ? t({ en: `Change ${user.name}`, ru: `Изменить ${user.name}` })
          : t({ en: 'Let somebody in', ru: 'Добавить пользователя' })
      }
      action={user ? t({ en: 'Change', ru: 'Изменить' }) : t({ en: 'Let in', ru: 'Добавить' })}
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
        <FormGroup fieldId="user-name" label={t({ en: 'Name', ru: 'Имя' })} isRequired>
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
      <FormGroup fieldId="user-password" label={t({ en: 'Password', ru: 'Пароль' })}>
        <TextInput
          id="user-password"
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={(_event, value) => setPassword(value)}
        />
        <FormHelperText>
          <HelperText>
            <HelperTextItem variant={isPasswordRight ? 'default' : 'error'}>
              {user
                ? t({
                    en: `At least ${shortestPassword} characters; empty: stays as it is.`,
                    ru: `Не меньше ${shortestPassword} знаков; пусто — без изменений.`,
                  })
                : t({
                    en: `At least ${shortestPassword} characters; without one only tokens work.`,
                    ru: `Не меньше ${shortestPassword} знаков; без пароля работают только токены.`,
                  })}
            </HelperTextItem>
          </HelperText>
        </FormHelperText>
      </FormGroup>
    </Dialog>
  );
}
