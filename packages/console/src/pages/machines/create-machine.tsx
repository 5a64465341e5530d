import { Alert, Card, CardBody, CardTitle, Checkbox, Form, TextArea } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import {
  type Capacity,
  type Host,
  type HostNetwork,
  type Machine,
  type MachineImage,
  universe,
} from '../../api/client.ts';
import { hostNetworksQuery, hostQuery, machineImagesQuery, machinesQuery } from '../../api/machine-queries.ts';
import { capacityQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { Loading } from '../../parts/empty.tsx';
import { Choice, CpuField, Field, NameField, SizeField, TextField } from '../../parts/fields.tsx';
import { freeName } from '../../parts/free-name.ts';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { alertLabel, Failure, OtherProblems } from '../../parts/problems.tsx';
import { useProblems } from '../../parts/use-problems.ts';
import { useStarted } from '../cluster/use-started.ts';
import { HostTotals } from '../declare/host-totals.tsx';
import { useAttempt, WizardActions } from '../declare/wizard.tsx';
import { cloudConfigOf } from './cloud-config.ts';
import { mebibyte } from './machine-columns.tsx';
import { kindNames } from './machine-state.tsx';
import './create-machine.css';

/** From an image to a machine: the server validates every change of the form. */
export function CreateMachine() {
  const { t } = useWords();
  const images = useQuery(machineImagesQuery);
  const networks = useQuery(hostNetworksQuery);
  const machines = useQuery(machinesQuery);
  const host = useQuery(hostQuery);
  const error = images.error ?? networks.error ?? machines.error ?? host.error;
  const isLoaded = images.data && networks.data && machines.data && host.data;
  return (
    <>
      <PageHead title={t('machines.createTitle')} above={[{ title: t('machines.title'), to: '/machines' }]} />
      <PageBody>
        {isLoaded ? (
          <MachineForm
            images={images.data}
            networks={networks.data.filter(({ cluster }) => cluster === undefined)}
            machines={machines.data}
            host={host.data}
          />
        ) : error ? (
          <Failure error={error} />
        ) : (
          <Loading />
        )}
      </PageBody>
    </>
  );
}

const fields = ['name', 'image', 'network', 'address', 'cpu', 'memoryMebibytes', 'diskMebibytes', 'cloudConfig'];
const usualDisk = 10 * 1024;
const usualMemory = 1024;

interface MachineFormProps {
  images: readonly MachineImage[];
  /** Those that machines can join. */
  networks: readonly HostNetwork[];
  machines: readonly Machine[];
  host: Host;
}

function MachineForm({ images, networks, machines, host }: MachineFormProps) {
  const { t } = useWords();
  const [, go] = useLocation();
  const wanted = new URLSearchParams(useSearch()).get('image');
  const leastDisk = (of: string) => images.find((each) => each.name === of)?.diskMebibytes ?? 0;
  const started = useStarted();
  const { isBusy, error, attempt } = useAttempt();
  const firstImage = wanted ?? usualImage(images, host);
  const [draft, setDraft] = useState(() => ({
    name: '',
    image: firstImage,
    network: networks[0]?.name ?? '',
    address: '',
    cpu: 1,
    memoryMebibytes: usualMemory,
    diskMebibytes: Math.max(usualDisk, leastDisk(firstImage)),
    keys: '',
    cloudConfig: '',
    isStarted: true,
  }));
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const image = images.find(({ name }) => name === draft.image);
  const ownName = freeName(
    'vm',
    machines.map(({ name }) => name),
  );
  const name = draft.name || ownName;
  const { keys, network, address, ...sized } = draft;
  const cloudConfig = cloudConfigOf(keys, draft.cloudConfig);
  const { cloudConfig: _given, ...rest } = sized;
  const machine = {
    ...rest,
    name,
    ...(network !== '' && { network, ...(address !== '' && { address }) }),
    ...(cloudConfig !== undefined && { cloudConfig }),
  };
  const check = useProblems('machine', machine, universe.checkMachine);
  const { at, isReady } = check;
  const create = () => attempt(async () => started(await universe.createMachine({ body: machine })));
  return (
    <>
      <div className="nova-create">
        <Form onSubmit={(event) => event.preventDefault()}>
          <NameField
            id="machine-name"
            value={draft.name}
            ownName={ownName}
            problems={at('name')}
            onChange={(value) => set({ name: value })}
          />
          <Choice
            id="machine-image"
            label={t('machines.imageOrTemplate')}
            isRequired
            value={draft.image}
            options={images.map((each) => [
              each.name,
              imageTitle(each, t(kindNames[each.kind]), t('storage.template')),
            ])}
            problems={at('image')}
            hint={image?.description}
            onChange={(value) => set({ image: value, diskMebibytes: Math.max(draft.diskMebibytes, leastDisk(value)) })}
          />
          {image?.kind === 'vm' && !host.hasKvm && (
            <Alert variant="warning" isInline isPlain title={t('host.emulated')} {...alertLabel(t)} />
          )}
          <div className="nova-sizes">
            <CpuField
              id="machine-cpu"
              label={t('common.cpu')}
              value={draft.cpu}
              problems={at('cpu')}
              onChange={(cpu) => set({ cpu })}
            />
            <SizeField
              id="machine-memory"
              label={t('overview.memory')}
              mebibytes={draft.memoryMebibytes}
              problems={at('memoryMebibytes')}
              onChange={(memoryMebibytes) => set({ memoryMebibytes })}
            />
            <SizeField
              id="machine-disk"
              label={t('overview.disk')}
              mebibytes={draft.diskMebibytes}
              problems={at('diskMebibytes')}
              hint={t('machines.diskHint')}
              onChange={(diskMebibytes) => set({ diskMebibytes })}
            />
          </div>
          <Choice
            id="machine-network"
            label={t('common.network')}
            value={network}
            options={[
              ...networks.map((each) => [each.name, `${each.name} · ${each.network}`] as const),
              ['', t('machines.noNetwork')] as const,
            ]}
            problems={at('network')}
            hint={t('machines.networkHint')}
            onChange={(value) => set({ network: value })}
          />
          {network !== '' && (
            <TextField
              id="machine-address"
              label={t('common.address')}
              value={address}
              placeholder={t('machines.anyAddress')}
              problems={at('address')}
              onChange={(value) => set({ address: value.trim() })}
            />
          )}
          <Field id="machine-keys" label={t('machines.sshKeys')} hint={t('machines.sshKeysHint')}>
            <TextArea
              id="machine-keys"
              value={keys}
              rows={3}
              resizeOrientation="vertical"
              onChange={(_event, value) => set({ keys: value })}
              spellCheck={false}
            />
          </Field>
          <Field
            id="machine-cloud-config"
            label="cloud-config"
            hint={t('machines.cloudConfigHint')}
            problems={at('cloudConfig')}
          >
            <TextArea
              id="machine-cloud-config"
              className="nova-code-input"
              value={draft.cloudConfig}
              rows={5}
              resizeOrientation="vertical"
              validated={at('cloudConfig').length > 0 ? 'error' : 'default'}
              onChange={(_event, value) => set({ cloudConfig: value })}
              spellCheck={false}
            />
          </Field>
          <Checkbox
            id="machine-start"
            label={t('machines.startNow')}
            isChecked={draft.isStarted}
            onChange={(_event, isStarted) => set({ isStarted })}
          />
        </Form>
        <Card className="nova-create-review">
          <CardTitle component="h2">{t('declare.review')}</CardTitle>
          <CardBody className="nova-stack">
            <Review machine={machine} image={image} />
            <div role="status" aria-live="polite">
              {check.isChecking
                ? t('declare.checking')
                : check.problems.length > 0
                  ? t('declare.problemCount', { count: check.problems.length })
                  : t('declare.nothingCreated')}
            </div>
            <OtherProblems problems={check.problems} fields={fields} />
            {check.error && <Failure error={check.error} />}
          </CardBody>
        </Card>
      </div>
      <WizardActions
        action={t('declare.create')}
        isBusy={isBusy}
        isReady={isReady}
        error={error}
        refusal={t('machines.cannotCreate')}
        onAction={() => void create()}
        onLeave={() => go('/machines')}
      />
    </>
  );
}

interface ReviewProps {
  machine: {
    name: string;
    network?: string;
    cpu: number;
    memoryMebibytes: number;
    diskMebibytes: number;
    isStarted: boolean;
  };
  image: MachineImage | undefined;
}

/** What the machine will be, and what it needs on the host. */
function Review({ machine, image }: ReviewProps) {
  const { t } = useWords();
  const { data: capacity } = useQuery(capacityQuery);
  return (
    <>
      <p>
        <strong>{machine.name}</strong>:{' '}
        {[...(image ? [t(kindNames[image.kind]), image.name] : []), machine.network ?? t('machines.noNetwork')].join(
          ' · ',
        )}
      </p>
      {capacity && <HostTotals resources={neededBy(machine, capacity)} />}
      <p className="nova-quiet">{t(machine.isStarted ? 'machines.reviewStarted' : 'machines.reviewStopped')}</p>
    </>
  );
}

function neededBy({ cpu, memoryMebibytes, diskMebibytes }: ReviewProps['machine'], host: Capacity) {
  return {
    processors: { needed: cpu, available: host.processors.total },
    memory: { needed: memoryMebibytes * mebibyte, available: host.memory.availableBytes },
    disk: { needed: diskMebibytes * mebibyte, available: host.disk.freeBytes },
  };
}

function imageTitle({ name, isTemplate }: MachineImage, kind: string, template: string): string {
  return [name, kind, ...(isTemplate ? [template] : [])].join(' · ');
}

/** The first image of the kind that suits the host. */
function usualImage(images: readonly MachineImage[], { hasKvm }: Host): string {
  const built = images.filter(({ isBuilt }) => isBuilt);
  const suiting = built.find(({ kind }) => kind === (hasKvm ? 'vm' : 'container'));
  return (suiting ?? built[0] ?? images[0])?.name ?? '';
}
