import type { Call } from './call.ts';
import { zeroId } from './ids.ts';
import { apiPath, type Fields, reference } from './resource.ts';
import { userId } from './resources/access.ts';
import { resources } from './resources/index.ts';

/** What clients read first: the version, and where everything is. */
export async function root(call: Call): Promise<Fields> {
  const [vms, users] = await Promise.all([call.vms(), call.parts.users()]);
  const active = vms.filter(({ machine }) => machine?.state === 'running').length;
  const user = reference('users', userId(call.request.identity.name));
  return {
    link: resources.flatMap(({ path, search }) => [
      { href: `${apiPath}/${path}`, rel: path },
      ...(search ? [{ href: `${apiPath}/${path}?search={query}`, rel: `${path}/search` }] : []),
    ]),
    product_info: {
      name: 'Nova',
      vendor: 'Nova',
      version: { major: 4, minor: 5, build: 0, revision: 0, full_version: '4.5.0' },
    },
    special_objects: { blank_template: reference('templates', zeroId), root_tag: reference('tags', zeroId) },
    summary: {
      hosts: { active: 1, total: 1 },
      storage_domains: { active: 1, total: 1 },
      users: { active: users.length, total: users.length },
      vms: { active, total: vms.length },
    },
    time: new Date().toISOString(),
    authenticated_user: user,
    effective_user: user,
  };
}
