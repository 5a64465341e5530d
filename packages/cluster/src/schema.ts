import type { OperationsSchema } from '@nova-platform/operations';

/** The tables of clusters, beside those of operations. Times are milliseconds since 1970. */
export interface ClusterSchema extends OperationsSchema {
  clusters: {
    name: string;
    revision: number;
    /** Documents may contain secrets. */
    sealed_documents: string;
    /** The plan of the documents, as JSON; null where an older release declared the cluster. */
    plan: string | null;
    provider: string;
    kubernetes_version: string;
    node_count: number;
    changed_at: number;
    changed_by: string;
    /** The initial members of etcd, as JSON; null once etcd exists. */
    initial_members: string | null;
  };
}
