import { ipv4, type Problem, ProblemError, problem, sizeTexts, type Text } from '@nova-platform/api';
import { availableMemory, hostMebibytes } from '@nova-platform/contracts/engine';
import { newMachine } from '@nova-platform/contracts/universe';
import { expectedBy } from '@nova-platform/http';
import type { z } from 'zod';
import { type Machines, machineWord } from './machines.ts';

type NewMachine = z.output<typeof newMachine>;

/** Everything that prevents the creation of a machine on this host, each with its field. */
export async function problemsOf(machines: Machines, request: unknown): Promise<Problem[]> {
  const { wrong, valid } = parsed(newMachine, request);
  return [...wrong, ...(await problemsOnHost(machines, valid))];
}

/** The problems of invalid fields, and the valid fields: they are checked even if others are not valid. */
export function parsed<T extends object>(
  schema: z.ZodType<T>,
  request: unknown,
): { wrong: Problem[]; valid: Partial<T> } {
  const { data, error } = schema.safeParse(request);
  const wrong = (error?.issues ?? []).map(({ path, message }) =>
    problem('NOVA7026', { field: path.join('.'), expected: expectedBy(message) }, path as (string | number)[]),
  );
  const fields = new Set(wrong.map(({ path }) => path[0]));
  const given = data ?? (request as Partial<T>);
  return {
    wrong,
    valid: Object.fromEntries(Object.entries(given).filter(([field]) => !fields.has(field))) as Partial<T>,
  };
}

async function problemsOnHost(machines: Machines, spec: Partial<NewMachine>): Promise<Problem[]> {
  const { engine } = machines;
  const [host, all, images, networks] = await Promise.all([
    engine.host(),
    engine.machines(),
    machines.images(),
    machines.networks(),
  ]);
  const { name, image, network, address, memoryMebibytes = 0, diskMebibytes, isStarted = true, cloudConfig } = spec;
  const chosen = images.find((each) => each.name === image);
  const joined = networks.find((each) => each.name === network);
  const needed = hostMebibytes({ kind: chosen?.kind ?? 'container', memoryMebibytes }, host.hasKvm) * 1024 ** 2;
  const free = availableMemory(host, all);
  return [
    ...when(name !== undefined && all.some((each) => each.name === name), () =>
      problem('NOVA7021', { kind: machineWord, name: name ?? '' }, ['name']),
    ),
    ...when(image !== undefined && !chosen, () =>
      problem('NOVA7001', { image: image ?? '', known: images.map((each) => each.name).join(', ') }, ['image']),
    ),
    ...when(chosen?.isBuilt === false, () => problem('NOVA7002', { image: image ?? '' }, ['image'])),
    ...when(network !== undefined && !joined, () =>
      problem(
        'NOVA8432',
        {
          kind: networkWord,
          name: network ?? '',
          known: networks.map((each) => each.name).join(', ') || '—',
          nearest: '',
        },
        ['network'],
      ),
    ),
    ...when(joined?.cluster !== undefined, () =>
      problem('NOVA8431', { name: network ?? '', cluster: joined?.cluster ?? '' }, ['network']),
    ),
    ...(joined && address !== undefined ? addressProblems(address, joined, all) : []),
    ...when(isStarted && needed > free, () =>
      problem('NOVA7025', { what: memoryWord, free: sizeTexts(free), needed: sizeTexts(needed) }, ['memoryMebibytes']),
    ),
    ...when(diskMebibytes !== undefined && diskMebibytes < (chosen?.diskMebibytes ?? 0), () =>
      problem(
        'NOVA7026',
        { field: 'diskMebibytes', expected: atLeast(sizeTexts((chosen?.diskMebibytes ?? 0) * 1024 ** 2)) },
        ['diskMebibytes'],
      ),
    ),
    ...when(cloudConfig !== undefined && !/^#cloud-config\s*(\n|$)/.test(cloudConfig), () =>
      problem('NOVA7012', { field: '#cloud-config' }, ['cloudConfig']),
    ),
  ];
}

const networkWord: Text = { en: 'network', ru: 'сеть' };
const memoryWord: Text = { en: 'memory', ru: 'память' };

const atLeast = (size: Text): Text => ({ en: `at least ${size.en}`, ru: `не меньше ${size.ru}` });

/** The address must be a free one of the network. */
function addressProblems(
  address: string,
  { name, network, gateway }: { name: string; network: string; gateway: string },
  machines: readonly { network?: string; address?: string }[],
): Problem[] {
  const { first, last } = ipv4.parseNetwork(network);
  const wanted = ipv4.parseAddress(address);
  if (wanted <= first || wanted >= last) return [problem('NOVA3018', { address, field: name, network }, ['address'])];
  const isTaken = machines.some((each) => each.network === name && each.address === address);
  return isTaken || address === gateway ? [problem('NOVA7023', { address, network: name }, ['address'])] : [];
}

export function assertNone(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ProblemError(...problems);
}

export function when(isWrong: boolean, describe: () => Problem): Problem[] {
  return isWrong ? [describe()] : [];
}
