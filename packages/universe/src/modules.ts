import { type Infrastructure, infrastructure } from '@nova-platform/api';
import { parseAllDocuments } from 'yaml';

/** Documents with modules enabled and disabled; everything else stays as it was written. */
export function withModules(documents: string, wanted: Readonly<Record<string, boolean>>): string {
  const parsed = parseAllDocuments(documents);
  for (const document of parsed) {
    const value = document.toJS() as Infrastructure;
    if (value.kind !== infrastructure.kind) continue;
    const listed: readonly { name: string }[] = value.spec.clusterConfiguration.modules ?? [];
    const place = ['spec', 'clusterConfiguration', 'modules'];
    for (const [name, enabled] of Object.entries(wanted)) {
      const index = listed.findIndex((each) => each.name === name);
      if (index >= 0) document.setIn([...place, index, 'enabled'], enabled);
      else if (document.hasIn(place)) document.addIn(place, document.createNode({ name, enabled }));
      else document.setIn(place, document.createNode([{ name, enabled }]));
    }
  }
  const asWritten = { directives: false, flowCollectionPadding: false, lineWidth: 0 };
  return parsed.map((document) => document.toString(asWritten)).join('---\n');
}
