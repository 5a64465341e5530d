import { type Infrastructure, infrastructure, rewritten } from '@nova-platform/api';

/** Enables and disables modules; everything else stays as written. */
export function withModules(documents: string, wanted: Readonly<Record<string, boolean>>): string {
  return rewritten(documents, (document) => {
    const value = document.toJS() as Infrastructure;
    if (value.kind !== infrastructure.kind) return;
    const listed: readonly { name: string }[] = value.spec.clusterConfiguration.modules ?? [];
    const place = ['spec', 'clusterConfiguration', 'modules'];
    for (const [name, enabled] of Object.entries(wanted)) {
      const index = listed.findIndex((each) => each.name === name);
      if (index >= 0) document.setIn([...place, index, 'enabled'], enabled);
      else if (document.hasIn(place)) document.addIn(place, document.createNode({ name, enabled }));
      else document.setIn(place, document.createNode([{ name, enabled }]));
    }
  });
}
