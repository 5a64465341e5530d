import { errors, kindSchema, kinds, modules, walk } from '@nova-platform/api';

/** Everything that `explain` accepts, as the user types it. */
export function topics(): string[] {
  const fields = kinds.flatMap((kind) => {
    const paths: string[] = [kind.kind];
    walk(kindSchema(kind), (path) => paths.push([kind.kind, ...path.map((step) => step.replace('[]', ''))].join('.')));
    return paths;
  });
  return [...fields, ...modules.map(({ name }) => name), ...Object.keys(errors)];
}

/** Completes one level at a time: `Infrastructure.sp` → `Infrastructure.spec`. */
export function proposeTopics(partial: string): string[] {
  const depth = partial.split('.').length;
  return topics().filter((topic) => topic.startsWith(partial) && topic.split('.').length <= depth);
}
