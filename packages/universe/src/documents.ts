import {
  formatPath,
  kindSchema,
  loadDocuments,
  mask,
  maskSecrets,
  ProblemError,
  problem,
  rewritten,
  secretsIn,
} from '@nova-platform/api';
import { stringify } from 'yaml';

/** Documents as they may be shown: what was declared, without secrets, and without comments, which may hold some. */
export function masked(text: string): string {
  return loadDocuments([{ name: '', text }])
    .documents.map(({ kind, yaml }) => stringify(maskSecrets(kindSchema(kind), yaml.value)))
    .join('---\n');
}

/** Documents with the secrets of `before` where theirs are masked: whoever changes what was shown has not seen them. */
export function unmasked(cluster: string, text: string, before: string): string {
  const loaded = loadDocuments([{ name: `${cluster}.yaml`, text }]);
  const hidden = secretsOf(loaded).filter(({ secret }) => secret === mask);
  // What is wrong with them is told when they are read.
  if (hidden.length === 0 || loaded.problems.length > 0) return text;
  const known = new Map(
    secretsOf(loadDocuments([{ name: '', text: before }])).map((each) => [keyOf(each), each.secret]),
  );
  const unknown = hidden.filter((each) => !known.has(keyOf(each)));
  if (unknown.length > 0) {
    throw new ProblemError(
      ...unknown.map(({ path, yaml }) => ({
        ...problem('NOVA8324', { field: formatPath(path) }, path),
        place: yaml.locate(path),
      })),
    );
  }
  return rewritten(text, (document) => {
    for (const each of hidden)
      if (document.get('kind') === each.kind) document.setIn(each.path, known.get(keyOf(each)));
  });
}

function secretsOf({ documents }: ReturnType<typeof loadDocuments>) {
  return documents.flatMap(({ kind, yaml }) =>
    secretsIn(kindSchema(kind), yaml.value).map(({ path, secret }) => ({ kind: kind.kind, path, secret, yaml })),
  );
}

function keyOf({ kind, path }: { kind: string; path: readonly (string | number)[] }): string {
  return `${kind} ${formatPath(path)}`;
}
