import { kinds, kubernetesVersions } from '@nova-platform/api';
import { command } from '../../command.ts';
import type { Output } from '../../output.ts';
import { release } from '../../release.ts';
import { table } from '../../tree.ts';

export interface VersionFlags {
  output: Output;
}

export const run = command<VersionFlags, []>(async function () {
  const documents = kinds.map((kind) => `${kind.kind} ${kind.version}`);
  return {
    data: { version: release, kubernetes: kubernetesVersions, documents, node: process.versions.node },
    text: table([
      ['nova-ctl', release],
      ['Kubernetes', kubernetesVersions.join(', ')],
      [this.t({ en: 'documents', ru: 'документы' }), documents.join(', ')],
      ['Node.js', process.versions.node],
    ]).join('\n'),
  };
});
