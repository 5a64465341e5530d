import { setTimeout as sleep } from 'node:timers/promises';
import { unhealthyFirst } from '@nova-platform/kubernetes';
import { controlPlanes } from '@nova-platform/plan';
import { removedMachines } from '../approved.ts';
import { balance } from '../balance.ts';
import type { Approved, Step } from '../operation.ts';
import { assertMajority } from '../quorum.ts';

/** Most requests take less. */
const requestTime = 1000;

/** Removes control planes from the load balancer and from etcd, one after the other. */
export const leave: Step<Approved> = {
  name: 'leave',
  title: { en: 'Remove etcd members', ru: 'Удалить участников etcd' },
  run: async (context) => {
    const { plan, connections, log } = context;
    const leaving = removedMachines(context).filter(({ isControlPlane }) => isControlPlane);
    if (leaving.length === 0) return;
    const staying = controlPlanes(plan.nodes);
    const isStaying = ({ address }: { address: string }) => staying.some((each) => each.address === address);
    let serving = leaving;
    await connections.withEtcd(plan, [...staying, ...leaving], async (etcd) => {
      for (const { id, address } of (await etcd.members()).toSorted(unhealthyFirst)) {
        const node = leaving.find((each) => each.address === address);
        if (!node) continue;
        serving = serving.filter((each) => each !== node);
        await balance(context, serving);
        // Let in-flight requests finish.
        await sleep(requestTime);
        // Read again each time: another member may have failed or become the leader meanwhile.
        const members = await etcd.members();
        assertMajority(plan.cluster.name, members, [node], [...staying, ...leaving]);
        const leader = members.find((each) => each.isLeader);
        const successor = members.find((each) => isStaying(each) && each.isHealthy && !each.isLearner);
        if (leader?.id === id && successor) await etcd.transferLead(leader, successor);
        await etcd.remove(id);
        log(`${node.name} is removed from etcd.`);
      }
    });
    await balance(context);
  },
};
