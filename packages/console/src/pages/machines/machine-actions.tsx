import { Button, Divider, DropdownItem, DropdownList } from '@patternfly/react-core';
import { PlayIcon } from '@patternfly/react-icons/dist/esm/icons/play-icon.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type MachineDetails, universe } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { ConfirmByName, Dialog } from '../../parts/dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Failure } from '../../parts/problems.tsx';
import { useSession } from '../../session.ts';
import { useStarted } from '../cluster/use-started.ts';
import { useAttempt } from '../declare/wizard.tsx';
import { Connect } from './connect.tsx';
import { MakeTemplate } from './make-template.tsx';
import { Resize } from './resize.tsx';
import { useFollowed } from './use-followed.ts';

type Action = 'stop' | 'restart' | 'resize' | 'connect' | 'disconnect' | 'template' | 'delete';

/** Actions on a machine, for administrators. */
export function MachineActions({ machine }: { machine: MachineDetails }) {
  const { t } = useWords();
  const { may } = useSession();
  const client = useQueryClient();
  const started = useStarted();
  const follow = useFollowed();
  const { isBusy, error, attempt } = useAttempt();
  const [action, setAction] = useState<Action>();
  if (!may('admin')) return null;
  const { name, state, cluster, network } = machine;
  const params = { machine: name };
  const close = () => setAction(undefined);
  const renew = () => client.invalidateQueries({ queryKey: keys.machines });
  const isRunning = state === 'running';
  const foreign = cluster !== undefined && t('machines.ofCluster', { cluster });
  /** An entry, disabled with a reason if there is one. */
  const entry = (which: Action, title: string, hint?: string, reason: string | false = foreign) => (
    <DropdownItem
      key={which}
      isDanger={which === 'delete' && reason === false}
      isAriaDisabled={reason !== false}
      description={reason === false ? hint : reason}
      onClick={() => setAction(which)}
    >
      {title}
    </DropdownItem>
  );
  const whileRunning = foreign || (isRunning && t('machines.stopFirst'));
  return (
    <>
      {error !== undefined && <Failure error={error} />}
      {state === 'stopped' && cluster === undefined && (
        <Button
          icon={<PlayIcon />}
          isLoading={isBusy}
          isAriaDisabled={isBusy}
          onClick={() => void attempt(() => follow(universe.startMachine({ params })))}
        >
          {t('clusters.start')}
        </Button>
      )}
      <Menu title={t('common.actions')} variant={isRunning ? 'primary' : 'secondary'}>
        <DropdownList>
          {isRunning && entry('stop', t('clusters.stop'), t('machines.stopHint'))}
          {isRunning && entry('restart', t('machines.restart'))}
          {entry('resize', t('machines.resize'), t('machines.resizeHint'))}
          {network === undefined
            ? entry('connect', t('machines.connect'), undefined, whileRunning)
            : entry('disconnect', t('machines.disconnect'), undefined, whileRunning)}
          {entry('template', t('machines.makeTemplate'), t('machines.makeTemplateHint'), whileRunning)}
          <Divider key="line" />
          {entry('delete', t('machines.delete'), t('machines.deleteHint'))}
        </DropdownList>
      </Menu>
      {action === 'resize' && <Resize machine={machine} onClose={close} onDone={renew} />}
      {action === 'connect' && <Connect machine={name} onClose={close} onDone={renew} />}
      {action === 'template' && <MakeTemplate machine={name} onClose={close} />}
      {action === 'stop' && (
        <Dialog
          title={t('machines.stopTitle', { name })}
          action={t('clusters.stop')}
          onClose={close}
          onAction={() => follow(universe.stopMachine({ params }))}
        >
          <p>{t('machines.stopText')}</p>
        </Dialog>
      )}
      {action === 'restart' && (
        <Dialog
          title={t('machines.restartTitle', { name })}
          action={t('machines.restart')}
          onClose={close}
          onAction={() => follow(universe.restartMachine({ params }))}
        >
          <p>{t('machines.restartText')}</p>
        </Dialog>
      )}
      {action === 'disconnect' && (
        <Dialog
          title={t('machines.disconnectTitle', { name })}
          action={t('machines.disconnect')}
          onClose={close}
          onAction={async () => {
            await universe.disconnectMachine({ params });
            await renew();
          }}
        >
          <p>{t('machines.disconnectText', { network: network ?? '' })}</p>
        </Dialog>
      )}
      {action === 'delete' && (
        <ConfirmByName
          name={name}
          title={t('machines.deleteTitle', { name })}
          action={t('machines.delete')}
          onClose={close}
          onAction={async () => started(await universe.deleteMachine({ params }))}
        >
          <p>{t('machines.deleteText')}</p>
        </ConfirmByName>
      )}
    </>
  );
}
