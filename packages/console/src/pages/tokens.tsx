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
import { Ago } from '../parts/time.tsx';
import { useSession } from '../session.ts';
import { roleNames } from '../shell/preferences.tsx';
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
        title: t({ en: 'Name', ru: 'Название' }),
        cell: ({ name }) => <strong>{name}</strong>,
        sort: ({ name }) => name,
        width: 1.4,
      },
      ...(isAdmin
        ? [
            {
              key: 'user',
              title: t({ en: 'User', ru: 'Пользователь' }),
              cell: ({ user }: Token) => user,
              sort: ({ user }: Token) => user,
            },
          ]
        : []),
      {
        key: 'role',
        title: t({ en: 'Role', ru: 'Роль' }),
        cell: ({ role }) => t(roleNames[role]),
        sort: ({ role }) => role,
      },
      {
        key: 'used',
        title: t({ en: 'Used', ru: 'Использован' }),
        cell: ({ usedAt }) => <Ago at={usedAt} />,
        sort: ({ usedAt }) => usedAt ?? '',
      },
      {
        key: 'ends',
        title: t({ en: 'Ends', ru: 'Истекает' }),
        cell: ({ expiresAt }) => <Ago at={expiresAt} />,
        sort: ({ expiresAt }) => expiresAt,
      },
      {
        key: 'actions',
        title: t({ en: 'Actions', ru: 'Действия' }),
        cell: (token) => (
          <Button
            variant="link"
            isInline
            isDanger
            onClick={() => setRemoved(token)}
            aria-label={t({ en: `Take back ${token.name}`, ru: `Отозвать ${token.name}` })}
          >
            {t({ en: 'Take back', ru: 'Отозвать' })}
          </Button>
        ),
      },
    ],
    [t, isAdmin],
  );
  return (
    <>
      <PageHead
        title={t({ en: 'Tokens', ru: 'Токены' })}
        description={t({
          en: 'For programs: nova-ctl, monitoring, git and registry clients. A token is shown once, when it is made.',
          ru: 'Для программ: nova-ctl, мониторинга, клиентов git и реестра. Токен показывается один раз, при создании.',
        })}
        actions={<Button onClick={() => setIsCreating(true)}>{t({ en: 'Make a token', ru: 'Создать токен' })}</Button>}
      />
      <PageBody>
        <QueryView query={tokens}>
          {(rows) => (
            <DataTable
              label={t({ en: 'Tokens', ru: 'Токены' })}
              rows={rows}
              columns={columns}
              rowKey={({ id }) => id}
              text={tokenText}
              empty={<Nothing icon={KeyIcon} title={t({ en: 'There is no token', ru: 'Токенов нет' })} />}
            />
          )}
        </QueryView>
      </PageBody>
      {isCreating && <TokenForm onClose={() => setIsCreating(false)} onMade={setSecret} />}
      {removed && (
        <Dialog
          title={t({ en: `Take back ${removed.name}?`, ru: `Отозвать ${removed.name}?` })}
          action={t({ en: 'Take back', ru: 'Отозвать' })}
          isDangerous
          onClose={() => setRemoved(undefined)}
          onAction={async () => {
            await universe.removeToken({ params: { id: removed.id } });
            await client.invalidateQueries({ queryKey: keys.tokens });
          }}
        >
          <p>
            {t({
              en: 'Programs that use it are refused from now on. Tokens, login links and sessions made with it end as well.',
              ru: 'Программам, которые его используют, будет отказано. Токены, ссылки и сессии, созданные с ним, тоже закончатся.',
            })}
          </p>
        </Dialog>
      )}
      {secret !== undefined && (
        <Modal isOpen variant="medium" onClose={() => setSecret(undefined)} aria-labelledby="token-title">
          <ModalHeader title={t({ en: 'The token is made', ru: 'Токен создан' })} labelId="token-title" />
          <ModalBody>
            <Alert
              variant="warning"
              isInline
              isPlain
              title={t({ en: 'It is shown only now. Copy it.', ru: 'Он показан только сейчас. Скопируйте его.' })}
              {...alertLabel(t)}
            />
            <ClipboardCopy
              isReadOnly
              hoverTip={t({ en: 'Copy', ru: 'Скопировать' })}
              clickTip={t({ en: 'Copied', ru: 'Скопировано' })}
              textAriaLabel={t({ en: 'Token', ru: 'Токен' })}
            >
              {secret}
            </ClipboardCopy>
          </ModalBody>
          <ModalFooter>
            <Button onClick={() => setSecret(undefined)}>{t({ en: 'Done', ru: 'Готово' })}</Button>
          </ModalFooter>
        </Modal>
      )}
    </>
  );
}

const tokenText = ({ name, user, role }: Token) => `${name} ${user} ${role}`;

function TokenForm({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  const { t, count } = useWords();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [lifetime, setLifetime] = useState(30);
  return (
    <Dialog
      title={t({ en: 'Make a token', ru: 'Создать токен' })}
      action={t({ en: 'Make', ru: 'Создать' })}
      isReady={name !== ''}
      onClose={onClose}
      onAction={async () => {
        const { token } = await universe.createAccessToken({ body: { name, role, seconds: lifetime * daySeconds } });
        await client.invalidateQueries({ queryKey: keys.tokens });
        onMade(token);
      }}
    >
      <FormGroup fieldId="token-name" label={t({ en: 'What it is for', ru: 'Для чего' })} isRequired>
        <TextInput
          id="token-name"
          value={name}
          placeholder={t({ en: 'monitoring', ru: 'мониторинг' })}
          onChange={(_event, value) => setName(value)}
          maxLength={63}
        />
      </FormGroup>
      <RoleChoice role={role} onChange={setRole} />
      <FormGroup fieldId="token-lifetime" label={t({ en: 'Works for', ru: 'Действует' })} isRequired>
        <FormSelect id="token-lifetime" value={lifetime} onChange={(_event, value) => setLifetime(Number(value))}>
          {days.map((each) => (
            <FormSelectOption
              key={each}
              value={each}
              label={count(each, { en: ['day', 'days'], ru: ['день', 'дня', 'дней'] })}
            />
          ))}
        </FormSelect>
      </FormGroup>
    </Dialog>
  );
}
