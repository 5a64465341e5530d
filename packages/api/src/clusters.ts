import { posix } from 'node:path';
import type { LoadedDocument } from './documents.ts';
import { clusterName, type Infrastructure, infrastructure } from './infrastructure.ts';
import { type Problem, problem } from './problem.ts';
import { type ProxyDocument, proxy } from './proxy.ts';

/** The documents that belong to one cluster. */
export interface ClusterDocuments {
  name: string;
  infrastructure: LoadedDocument<Infrastructure>;
  proxy?: LoadedDocument<ProxyDocument>;
}

/**
 * Groups documents by cluster. A Proxy belongs to the Infrastructure of its file, else to the only one of its folder.
 */
export function groupClusters(documents: readonly LoadedDocument[]): {
  clusters: ClusterDocuments[];
  problems: Problem[];
} {
  const clusters: ClusterDocuments[] = [];
  const problems: Problem[] = [];

  for (const document of documents.filter(isInfrastructure)) {
    const name = clusterName(document.value);
    const twin = clusters.find((cluster) => cluster.name === name);
    // An invalid name does not identify a cluster.
    const isNameKnown = !document.invalidPaths.some(
      (path) => path.at(-1) === 'clusterName' || path.at(-1) === 'dnsBaseDomain',
    );
    if (twin === undefined || !isNameKnown) clusters.push({ name, infrastructure: document });
    else {
      const path = ['spec', 'clusterConfiguration', 'clusterName'];
      const { file, line } = twin.infrastructure.yaml.locate([]);
      problems.push({
        ...problem('NOVA3023', { cluster: name, other: `${file}:${line}` }, path),
        place: document.yaml.locate(path),
      });
    }
  }

  for (const document of documents.filter(isProxy)) {
    const file = document.yaml.source.name;
    const sameFile = clusters.filter((cluster) => cluster.infrastructure.yaml.source.name === file);
    const near =
      sameFile.length > 0 ? sameFile : clusters.filter((cluster) => folderOf(cluster) === posix.dirname(file));
    const [owner] = near;
    if (near.length > 1) {
      problems.push({
        ...problem('NOVA3024', { kind: 'Proxy', count: near.length }, ['kind']),
        place: document.yaml.locate(['kind']),
      });
    } else if (owner?.proxy) {
      const other = owner.proxy.yaml.locate([]);
      problems.push({
        ...problem('NOVA3027', { kind: 'Proxy', cluster: owner.name, other: `${other.file}:${other.line}` }, ['kind']),
        place: document.yaml.locate(['kind']),
      });
    } else if (owner) owner.proxy = document;
  }
  return { clusters, problems };
}

function folderOf(cluster: ClusterDocuments): string {
  return posix.dirname(cluster.infrastructure.yaml.source.name);
}

function isInfrastructure(document: LoadedDocument): document is LoadedDocument<Infrastructure> {
  return document.kind === infrastructure;
}

function isProxy(document: LoadedDocument): document is LoadedDocument<ProxyDocument> {
  return document.kind === proxy;
}
