import type { ClusterPlan } from '@nova-platform/plan';
import { Button, Checkbox, Divider, Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import { DownloadIcon } from '@patternfly/react-icons/dist/esm/icons/download-icon.js';
import { lazy, Suspense, useState } from 'react';
import { type Health, universe } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { ConfirmByName, Dialog } from '../../parts/dialog.tsx';
import { download } from '../../parts/download.ts';
import { useSession } from '../../session.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { useBegun } from './use-begun.ts';

const Scale = lazy(async () => ({ default: (await import('./scale.tsx')).Scale }));

type Asked = 'kubeconfig' | 'scale' | 'stop' | 'start' | 'run' | 'destroy';

interface ActionsProps {
  cluster: { name: string; provider: string; plan: ClusterPlan };
  health: Health | undefined;
}

/** What can be done with a cluster, for those who may. */
export function ClusterActions({ cluster: { name, provider, plan }, health }: ActionsProps) {
  const { t } = useWords();
  const { may } = useSession();
  const begin = useBegun();
  const [isOpen, setIsOpen] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [isNoop, setIsNoop] = useState(false);
  if (!may('operator')) return null;
  const params = { cluster: name };
  const close = () => setAsked(undefined);
  const isStopped = health?.state === 'stopped';
  const isLocal = provider === 'local';
  return (
    <>
      <Button variant="secondary" icon={<DownloadIcon />} onClick={() => setAsked('kubeconfig')}>
        kubeconfig
      </Button>
      <Dropdown
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        onSelect={() => setIsOpen(false)}
        shouldFocusFirstItemOnOpen
        shouldFocusToggleOnSelect
        popperProps={{ position: 'right' }}
        toggle={(toggle) => (
          <MenuToggle ref={toggle} isExpanded={isOpen} onClick={() => setIsOpen(!isOpen)} variant="primary">
            {t({ en: 'Actions', ru: 'Действия' })}
          </MenuToggle>
        )}
      >
        <DropdownList>
          <DropdownItem
            onClick={() => setAsked('scale')}
            description={t({ en: 'Other numbers of nodes', ru: 'Изменить число узлов' })}
          >
            {t({ en: 'Scale', ru: 'Масштабировать' })}
          </DropdownItem>
          <DropdownItem
            onClick={() => setAsked('run')}
            description={t({
              en: 'Bring every node to what was approved, now',
              ru: 'Привести узлы к утверждённому прямо сейчас',
            })}
          >
            {t({ en: 'Run the agents', ru: 'Запустить агенты' })}
          </DropdownItem>
          {isLocal && !isStopped && (
            <DropdownItem
              onClick={() => setAsked('stop')}
              description={t({ en: 'Machines keep everything', ru: 'На машинах всё сохранится' })}
            >
              {t({ en: 'Stop', ru: 'Остановить' })}
            </DropdownItem>
          )}
          {isLocal && isStopped && (
            <DropdownItem onClick={() => setAsked('start')}>{t({ en: 'Start', ru: 'Запустить' })}</DropdownItem>
          )}
          <Divider />
          <DropdownItem
            isDanger
            onClick={() => setAsked('destroy')}
            description={t({
              en: 'Machines, network and everything on them',
              ru: 'Машины, сеть и всё, что на них есть',
            })}
          >
            {t({ en: 'Destroy', ru: 'Удалить' })}
          </DropdownItem>
        </DropdownList>
      </Dropdown>

      {asked === 'kubeconfig' && (
        <Dialog
          title={t({ en: `A way into ${name}`, ru: `Доступ к ${name}` })}
          action={t({ en: 'Download', ru: 'Скачать' })}
          onClose={close}
          onAction={async () =>
            download(`${name}.kubeconfig`, kubeconfigText(name, await universe.kubeconfig({ params })))
          }
        >
          <p>
            {t({
              en: 'The file lets you in as administrator of the cluster for an hour. It holds a key: give it to nobody.',
              ru: 'Файл на час даёт права администратора кластера. В нём ключ: не передавайте его никому.',
            })}
          </p>
          <pre className="nova-command">{`kubectl --kubeconfig ${name}.kubeconfig get nodes`}</pre>
        </Dialog>
      )}
      {asked === 'scale' && (
        <Suspense fallback={null}>
          <Scale
            cluster={name}
            plan={plan}
            groups={plan.declared.nodeGroups.map((group) => ({
              name: group.name,
              roles: group.roles,
              count: plan.nodes.filter((node) => node.group === group.name).length,
            }))}
            onClose={close}
            onBegun={begin}
          />
        </Suspense>
      )}
      {asked === 'run' && (
        <Dialog
          title={t({ en: `Run the agents of ${name}?`, ru: `Запустить агенты ${name}?` })}
          action={t({ en: 'Run', ru: 'Запустить' })}
          onClose={close}
          onAction={async () => begin(await universe.runAgents({ params, body: { isNoop } }))}
        >
          <p>
            {t({
              en: 'Every node is brought to what was approved for it; what somebody changed by hand is undone and reported.',
              ru: 'Каждый узел будет приведён к утверждённому виду; изменения, сделанные вручную, отменяются и попадают в отчёт.',
            })}
          </p>
          <Checkbox
            id="noop"
            label={t({
              en: 'Only look: report what would change',
              ru: 'Только проверить: показать, что изменилось бы',
            })}
            isChecked={isNoop}
            onChange={(_event, isChecked) => setIsNoop(isChecked)}
          />
        </Dialog>
      )}
      {asked === 'stop' && (
        <ConfirmByName
          name={name}
          title={t({ en: `Stop ${name}?`, ru: `Остановить ${name}?` })}
          action={t({ en: 'Stop', ru: 'Остановить' })}
          onClose={close}
          onAction={async () => begin(await universe.stopCluster({ params }))}
        >
          <p>
            {t({
              en: 'What runs in it stops. Its machines keep everything.',
              ru: 'Всё, что в нём работает, остановится. На машинах всё сохранится.',
            })}
          </p>
        </ConfirmByName>
      )}
      {asked === 'start' && (
        <Dialog
          title={t({ en: `Start ${name}?`, ru: `Запустить ${name}?` })}
          action={t({ en: 'Start', ru: 'Запустить' })}
          onClose={close}
          onAction={async () => begin(await universe.startCluster({ params }))}
        >
          <p>
            {t({
              en: 'Its machines start, and the operation ends when it works.',
              ru: 'Машины запустятся, операция завершится, когда кластер заработает.',
            })}
          </p>
        </Dialog>
      )}
      {asked === 'destroy' && (
        <ConfirmByName
          name={name}
          title={t({ en: `Destroy ${name}?`, ru: `Удалить ${name}?` })}
          action={t({ en: 'Destroy', ru: 'Удалить' })}
          onClose={close}
          onAction={async () => begin(await universe.destroyCluster({ params }))}
        >
          <p>
            {t({
              en: `Its ${plan.nodes.length} machines with everything on them, its network, identities and documents are removed. There is no way back.`,
              ru: `Будут удалены машины (${plan.nodes.length}) со всем содержимым, сеть, удостоверения и документы. Вернуть их нельзя.`,
            })}
          </p>
        </ConfirmByName>
      )}
    </>
  );
}
