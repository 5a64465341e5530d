import {
  formatPath,
  kindSchema,
  loadDocuments,
  mask,
  maskSecrets,
  type Path,
  ProblemError,
  problem,
  rewritten,
  secretsIn,
} from '@nova-platform/api';
import { type ChangedField, changedField, leavesOf, limited } from '@nova-platform/change/fields';
import { stringify } from 'yaml';

/** Documents without secrets, and without comments, which may contain some. */
export function masked(text: string): string {
  return loadDocuments([{ name: '', text }])
    .documents.map(({ kind, yaml }) => stringify(maskSecrets(kindSchema(kind), yaml.value)))
    .join('---\n');
}

/**
 * Replaces masked secrets with those of `before`. A secret stays with its server: if the address changed, the secret must
 * be given again.
 */
export function unmasked(cluster: string, text: string, before: string): string {
  const loaded = loadDocuments([{ name: `${cluster}.yaml`, text }]);
  const hidden = secretsOf(loaded).filter(({ secret }) => secret === mask);
  // Reading the documents reports their problems.
  if (hidden.length === 0 || loaded.problems.length > 0) return text;
  const known = new Map(secretsOf(loadDocuments([{ name: '', text: before }])).map((each) => [keyOf(each), each]));
  const problems = hidden.flatMap((each) => {
    const { path, sentTo, yaml } = each;
    const old = known.get(keyOf(each));
    const field = formatPath(path);
    if (!old) return [{ ...problem('NOVA8324', { field }, path), place: yaml.locate(path) }];
    const moved = sentTo.find((to) => valueAt(yaml.value, to) !== valueAt(old.yaml.value, to));
    if (!moved) return [];
    return [{ ...problem('NOVA8422', { field, address: formatPath(moved) }, path), place: yaml.locate(path) }];
  });
  if (problems.length > 0) throw new ProblemError(...problems);
  return rewritten(text, (document) => {
    for (const each of hidden)
      if (document.get('kind') === each.kind) document.setIn(each.path, known.get(keyOf(each))?.secret);
  });
}

/** The fields that a new declaration changes; secrets are masked. */
export function documentChanges(before: string, after: string): ChangedField[] {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)];
  const fields = new Set([...fresh.keys(), ...old.keys()]);
  return limited(
    [...fields].flatMap((field) => {
      const [was, is] = [old.get(field), fresh.get(field)];
      if (was?.value === is?.value) return [];
      const shown = (each: typeof was) => (each?.isSecret ? mask : each?.value);
      return [changedField(field, shown(was), shown(is))];
    }),
  );
}

/** All secrets of documents, with the fields that contain them. */
export function secretFields(text: string): string {
  const found = secretsOf(loadDocuments([{ name: '', text }]));
  return JSON.stringify(found.map((each) => JSON.stringify([keyOf(each), each.secret])).toSorted());
}

function fieldsOf(text: string): Map<string, { value: string; isSecret: boolean }> {
  const loaded = loadDocuments([{ name: '', text }]);
  const secrets = new Set(secretsOf(loaded).map(keyOf));
  return new Map(
    loaded.documents.flatMap(({ kind: { kind }, yaml }) =>
      [...leavesOf((yaml.value as { spec?: unknown }).spec, ['spec'])].map(([path, value]) => [
        `${kind}.${path}`,
        { value, isSecret: secrets.has(`${kind} ${path}`) },
      ]),
    ),
  );
}

function secretsOf({ documents }: ReturnType<typeof loadDocuments>) {
  return documents.flatMap(({ kind, yaml }) =>
    secretsIn(kindSchema(kind), yaml.value).map((found) => ({ ...found, kind: kind.kind, yaml })),
  );
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((here, step) => (here as Record<string | number, unknown> | undefined)?.[step], value);
}

function keyOf({ kind, path }: { kind: string; path: readonly (string | number)[] }): string {
  return `${kind} ${formatPath(path)}`;
}
