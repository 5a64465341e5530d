import { Agent, request } from 'node:https';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { RetryableError, type Text, untilRestarted } from '@nova-platform/api';
import type { ClusterAccess } from './kubernetes-api.ts';

/** A member of etcd. */
export interface Member {
  id: string;
  /** The address of its node. */
  address: string;
  /** A learner replicates the data and has no vote yet. */
  isLearner: boolean;
  isHealthy: boolean;
  /** After the removal of the leader the others need time to elect a new one. */
  isLeader: boolean;
}

/** A current, future or former member. */
export interface EtcdNode {
  name: string;
  address: string;
}

/** The next change on the way to the given members. */
export type Change = { add: EtcdNode } | { promote: EtcdNode; id: string } | { remove: string } | { wait: EtcdNode };

interface ListedMember {
  ID: string;
  peerURLs: string[];
  isLearner?: boolean;
}

/** A member refused a request. */
class Refused extends Error {}

const clientPort = 2379;
const requestTimeout = 3000;
const pause = 500;

/** The part of etcd's API that manages members. Requests go to any member that responds. */
export class Etcd {
  readonly #addresses: readonly string[];
  readonly #access: Pick<ClusterAccess, 'ca' | 'cert' | 'key'>;
  readonly #timeout: number;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(addresses: readonly string[], { ca, cert, key, slowdown = 1 }: ClusterAccess) {
    this.#timeout = requestTimeout * slowdown;
    this.#addresses = addresses;
    this.#access = { ca, cert, key };
  }

  /** A linearizable read; fails without a quorum. */
  async members(): Promise<Member[]> {
    const { members } = await this.#ask<{ members: ListedMember[] }>('cluster/member/list', { linearizable: true });
    return Promise.all(
      members.map(async ({ ID: id, peerURLs: [url = ''], isLearner = false }) => {
        const address = new URL(url).hostname;
        const leader = await this.#leaderSeenBy(address);
        return { id, address, isLearner, isHealthy: leader !== undefined, isLeader: leader === id };
      }),
    );
  }

  /** A learner has no vote, so its failure cannot break the quorum. */
  async addLearner(address: string): Promise<void> {
    await this.#ask('cluster/member/add', { peerURLs: [`https://${address}:2380`], isLearner: true });
  }

  /** Refused until the learner has caught up. */
  async promote(id: string): Promise<void> {
    await this.#ask('cluster/member/promote', { ID: id });
  }

  /** A request that timed out may have removed the member; a missing member counts as removed. */
  async remove(id: string): Promise<void> {
    await this.#ask('cluster/member/remove', { ID: id }).catch((error: unknown) => {
      if (!(error instanceof Refused && /member not found/i.test(error.message))) throw error;
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Moves the leadership without an election. A member that refuses is no longer the leader. */
  async transferLead(from: Member, to: Member): Promise<void> {
    await this.#post(from.address, 'maintenance/transfer-leadership', { targetID: to.id }).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  }

  /** The leader that a member follows; undefined if the member is down or has no leader. */
  async #leaderSeenBy(address: string): Promise<string | undefined> {
    const status = await this.#post<{ leader?: string }>(address, 'maintenance/status', {}).catch(() => undefined);
    return status?.leader === '0' ? undefined : status?.leader;
  }

  async #ask<T>(path: string, body: object): Promise<T> {
    let failure: unknown;
    for (const address of this.#addresses) {
      try {
        return await this.#post<T>(address, path, body);
      } catch (error) {
        // A learner refuses every request, so another member is tried. A refusal is more informative than a timeout.
        if (failure === undefined || error instanceof Refused) failure = error;
      }
    }
    throw failure;
  }

  #post<T>(host: string, path: string, body: object): Promise<T> {
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(this.#timeout);
      const options = { ...this.#access, host, port: clientPort, agent: this.#agent, method: 'POST', signal };
      const fail = (error: Error) => {
        const cause = signal.aborted ? new Error(`${host} does not respond`, { cause: error }) : error;
        reject(new RetryableError(cause, untilRestarted));
      };
      const outgoing = request({ ...options, path: `/v3/${path}` }, (response) => {
        json(response).then((answer) => {
          const { message = '' } = answer as { message?: string };
          if (response.statusCode === 200) resolve(answer as T);
          else reject(new Refused(message));
        }, fail);
      });
      outgoing.once('error', fail);
      outgoing.end(JSON.stringify(body));
    });
  }
}

/** One step at a time: etcd has at most one learner, and none is added while a member is unhealthy. */
export function nextChange(members: readonly Member[], nodes: readonly EtcdNode[]): Change | undefined {
  const nodeOf = new Map(nodes.map((node) => [node.address, node]));
  const learner = members.find(({ isLearner }) => isLearner);
  if (learner) {
    const node = nodeOf.get(learner.address);
    if (!node) return { remove: learner.id };
    return learner.isHealthy ? { promote: node, id: learner.id } : { wait: node };
  }
  const memberOf = new Map(members.map((member) => [member.address, member]));
  const unhealthy = nodes.find(({ address }) => memberOf.get(address)?.isHealthy === false);
  if (unhealthy) return { wait: unhealthy };
  const missing = nodes.find(({ address }) => !memberOf.has(address));
  return missing && { add: missing };
}

/** A node that is not a healthy voter in time, and why. */
interface LateMember {
  name: string;
  reason: string | Text;
}

/** Adds members until all nodes are healthy voters. Returns the node that is late after the timeout. */
export async function joinMembers(
  etcd: Etcd,
  nodes: readonly EtcdNode[],
  { log, signal, timeout }: { log: (line: string) => void; signal: AbortSignal; timeout: number },
): Promise<LateMember | undefined> {
  const deadline = Date.now() + timeout;
  let late: LateMember = {
    name: nodes.map(({ name }) => name).join(', '),
    reason: { en: 'no member responds', ru: 'ни один участник не отвечает' },
  };
  while (Date.now() < deadline) {
    try {
      const change = nextChange(await etcd.members(), nodes);
      if (!change) return undefined;
      if ('remove' in change) await etcd.remove(change.remove);
      else if ('wait' in change)
        late = { name: change.wait.name, reason: { en: 'it does not respond', ru: 'он не отвечает' } };
      else if ('add' in change) {
        late = { name: change.add.name, reason: { en: 'it could not be added', ru: 'его не удалось добавить' } };
        await etcd.addLearner(change.add.address);
        log(`${change.add.name} is added as a learner`);
        continue;
      } else {
        late = {
          name: change.promote.name,
          reason: { en: 'it has not caught up with the leader', ru: 'он ещё не получил все данные лидера' },
        };
        await etcd.promote(change.id);
        log(`${change.promote.name} is a voting member`);
        continue;
      }
    } catch (error) {
      // A temporary refusal: there is no quorum, or the learner has not caught up.
      late = { ...late, reason: (error as Error).message || late.reason };
    }
    await sleep(pause, undefined, { signal });
  }
  return late;
}

/**
 * Checks whether the leaving members can be removed one by one without a loss of quorum. Returns undefined if they can,
 * otherwise the unhealthy members that would be missing.
 */
export function missedBy(
  members: readonly Pick<Member, 'address' | 'isLearner' | 'isHealthy'>[],
  leaving: readonly string[],
): string[] | undefined {
  let voters = members.filter(({ isLearner }) => !isLearner);
  // Unhealthy members are removed first: they do not count for the quorum.
  const goes = voters.filter(({ address }) => leaving.includes(address)).toSorted(unhealthyFirst);
  for (const { address } of goes) {
    voters = voters.filter((voter) => voter.address !== address);
    const healthy = voters.filter(({ isHealthy }) => isHealthy).length;
    if (healthy <= voters.length / 2) return voters.filter(({ isHealthy }) => !isHealthy).map((voter) => voter.address);
  }
  return undefined;
}

/** The order in which members are removed. */
export function unhealthyFirst(one: { isHealthy: boolean }, other: { isHealthy: boolean }): number {
  return Number(one.isHealthy) - Number(other.isHealthy);
}
