import { access } from './access.ts';
import { audit } from './audit.ts';
import { clusters } from './clusters.ts';
import { common } from './common.ts';
import { declare } from './declare.ts';
import { errors } from './errors.ts';
import { host } from './host.ts';
import { machines } from './machines.ts';
import { modules } from './modules.ts';
import { network } from './network.ts';
import { nodes } from './nodes.ts';
import { operations } from './operations.ts';
import { overview } from './overview.ts';
import { plan } from './plan.ts';
import { registry } from './registry.ts';
import { shell } from './shell.ts';
import { states } from './states.ts';
import { storage } from './storage.ts';
import { units } from './units.ts';

export const en = {
  name: 'English',
  locale: 'en-GB',
  messages: {
    access,
    audit,
    clusters,
    common,
    declare,
    errors,
    host,
    machines,
    modules,
    network,
    nodes,
    operations,
    overview,
    plan,
    registry,
    shell,
    states,
    storage,
    units,
  },
};
