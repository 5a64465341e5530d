import { Agent, request } from 'node:https';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { RetryableError, untilRestarted } from '@nova-platform/api';
import type { ClusterAccess } from './kubernetes-api.ts';

/** A member of a cluster's store. */
export interface Member {
  id: string;
  /** Of its node. */
  address: string;
  /** It copies what the others have, and has no vote yet. */
  isLearner: boolean;
  isHealthy: boolean;
  /** Nothing is decided without it: when it goes, the others need a while to agree on another. */
  isLeader: boolean;
}

/** A node that is, should be or should no longer be a member. */
export interface EtcdNode {
  name: string;
  address: string;
}

/** What must happen next so that the nodes, and only they, make up the store. */
export type Change = { add: EtcdNode } | { promote: EtcdNode; id: string } | { remove: string } | { wait: EtcdNode };

interface ListedMember {
  ID: string;
  peerURLs: string[];
  isLearner?: boolean;
}

/** A member answered, that it does not do what it was asked. */
class Refused extends Error {}

const clientPort = 2379;
const patience = 3000;
const pause = 500;

/** The little of etcd's API that its membership takes; any member that can answers. */
export class Etcd {
  readonly #addresses: readonly string[];
  readonly #access: Pick<ClusterAccess, 'ca' | 'cert' | 'key'>;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(addresses: readonly string[], { ca, cert, key }: ClusterAccess) {
    this.#addresses = addresses;
    this.#access = { ca, cert, key };
  }

  /** As a quorum of them sees it; fails when there is none. */
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

  /** Without a vote: whatever becomes of it, the others go on. */
  async addLearner(address: string): Promise<void> {
    await this.#ask('cluster/member/add', { peerURLs: [`https://${address}:2380`], isLearner: true });
  }

  /** Refused by the store until it has caught up. */
  async promote(id: string): Promise<void> {
    await this.#ask('cluster/member/promote', { ID: id });
  }

  /** Who did not answer in time may have done it: then it is not found any more. */
  async remove(id: string): Promise<void> {
    await this.#ask('cluster/member/remove', { ID: id }).catch((error: unknown) => {
      if (!(error instanceof Refused && /member not found/i.test(error.message))) throw error;
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Another leads from now on, without a moment in which nobody does. Who refuses does not lead any more. */
  async transferLead(from: Member, to: Member): Promise<void> {
    await this.#post(from.address, 'maintenance/transfer-leadership', { targetID: to.id }).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  }

  /** Whom a member follows; nobody when it does not run, or is alone. */
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
        // A learner refuses everything: another may not. What was refused tells more than who did not answer.
        if (failure === undefined || error instanceof Refused) failure = error;
      }
    }
    throw failure;
  }

  #post<T>(host: string, path: string, body: object): Promise<T> {
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(patience);
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

/** One change at a time: the store has at most one learner, and nobody is added while another is not well. */
export function nextChange(members: readonly Member[], nodes: readonly EtcdNode[]): Change | undefined {
  const nodeOf = new Map(nodes.map((node) => [node.address, node]));
  const learner = members.find(({ isLearner }) => isLearner);
  if (learner) {
    const node = nodeOf.get(learner.address);
    if (!node) return { remove: learner.id };
    return learner.isHealthy ? { promote: node, id: learner.id } : { wait: node };
  }
  const memberOf = new Map(members.map((member) => [member.address, member]));
  const unwell = nodes.find(({ address }) => memberOf.get(address)?.isHealthy === false);
  if (unwell) return { wait: unwell };
  const missing = nodes.find(({ address }) => !memberOf.has(address));
  return missing && { add: missing };
}

/** Until all the nodes are members with a vote, and well. Answers who is waited for when it takes too long. */
export async function joinMembers(
  etcd: Etcd,
  nodes: readonly EtcdNode[],
  { log, signal, timeout }: { log: (line: string) => void; signal: AbortSignal; timeout: number },
): Promise<{ name: string; reason: string } | undefined> {
  const deadline = Date.now() + timeout;
  let late = { name: nodes.map(({ name }) => name).join(', '), reason: 'nobody answers' };
  while (Date.now() < deadline) {
    try {
      const change = nextChange(await etcd.members(), nodes);
      if (!change) return undefined;
      if ('remove' in change) await etcd.remove(change.remove);
      else if ('wait' in change) late = { name: change.wait.name, reason: 'it does not answer' };
      else if ('add' in change) {
        late = { name: change.add.name, reason: 'it could not be added' };
        await etcd.addLearner(change.add.address);
        log(`${change.add.name} is added, and copies what the others have`);
        continue;
      } else {
        late = { name: change.promote.name, reason: 'it has not caught up' };
        await etcd.promote(change.id);
        log(`${change.promote.name} has caught up, and votes`);
        continue;
      }
    } catch (error) {
      // Refused for now: not enough of them are there, or it has not caught up.
      late = { ...late, reason: (error as Error).message || late.reason };
    }
    await sleep(pause, undefined, { signal });
  }
  return late;
}

/**
 * Members that do not answer and without which those that stay could not decide any more, while or after the leaving
 * ones go one by one; nothing when they can go.
 */
export function missedBy(
  members: readonly Pick<Member, 'address' | 'isLearner' | 'isHealthy'>[],
  leaving: readonly string[],
): string[] | undefined {
  let voters = members.filter(({ isLearner }) => !isLearner);
  // Those that do not answer go first: they are missed by nobody.
  const goes = voters.filter(({ address }) => leaving.includes(address)).toSorted(unhealthyFirst);
  for (const { address } of goes) {
    voters = voters.filter((voter) => voter.address !== address);
    const healthy = voters.filter(({ isHealthy }) => isHealthy).length;
    if (healthy <= voters.length / 2) return voters.filter(({ isHealthy }) => !isHealthy).map((voter) => voter.address);
  }
  return undefined;
}

/** In the order in which they go. */
export function unhealthyFirst(one: { isHealthy: boolean }, other: { isHealthy: boolean }): number {
  return Number(one.isHealthy) - Number(other.isHealthy);
}
