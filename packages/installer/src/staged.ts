import { type Infrastructure, infrastructure, rewritten } from '@nova-platform/api';

/** The modules that can be delivered now, and the release that has them; no release while Flux is not built. */
export interface Available {
  release?: string;
  modules: readonly string[];
  isComplete: boolean;
}

/** Marks documents to which `up` still adds modules. Without this line, the documents belong to the user. */
const mark = '# nova-ctl up is still adding modules to this cluster.\n';

export function isStaged(documents: string): boolean {
  return documents.includes(mark);
}

/** Documents of a cluster with only those modules that are available. With all of them, the mark is removed. */
export function staged(documents: string, { release, modules, isComplete }: Available): string {
  const written = rewritten(documents.replace(mark, ''), (document) => {
    const { kind, spec } = document.toJS() as Infrastructure;
    if (kind !== infrastructure.kind) return;
    const config = ['spec', 'clusterConfiguration'];
    document.setIn([...config, 'delivery'], release === undefined ? 'none' : 'flux');
    if (release !== undefined) document.setIn([...config, 'release'], release);
    const listed: readonly { name: string }[] = spec.clusterConfiguration.modules ?? [];
    for (const [index, { name }] of listed.entries()) {
      const place = [...config, 'modules', index, 'enabled'];
      if (modules.includes(name)) document.deleteIn(place);
      else document.setIn(place, false);
    }
  });
  return isComplete ? written : mark + written;
}
