import { joinEtcd } from '../control-planes.ts';
import type { Planned, Step } from '../operation.ts';

/** New control planes join etcd one by one, as learners first. */
export const members: Step<Planned> = {
  name: 'members',
  title: { en: 'Update etcd members', ru: 'Обновить участников etcd' },
  run: joinEtcd,
};
