import { z } from 'zod';
import { field } from './field.ts';
import { string } from './formats.ts';
import type { Text } from './text.ts';

export const group = 'config.nova-platform.io';

export interface Kind<Spec extends z.ZodType = z.ZodType> {
  kind: string;
  version: string;
  plural: string;
  description: Text;
  /** A manifest that is valid as it stands; shown by `explain` and in the reference. */
  example: string;
  schema: z.ZodObject<{
    apiVersion: z.ZodLiteral<string>;
    kind: z.ZodLiteral<string>;
    metadata: typeof metadata;
    spec: Spec;
  }>;
}

const metadata = field(
  z.strictObject({
    name: field(
      z.literal('cluster'),
      'Always `cluster`: there is one object of this kind in a cluster.',
      'Всегда `cluster`: объект этого вида в кластере один.',
    ),
    labels: field(
      z.record(string('labelKey'), string('labelValue')).optional(),
      'Labels of the object.',
      'Метки объекта.',
    ),
    annotations: field(
      z.record(string('labelKey'), z.string().max(262144)).optional(),
      'Annotations of the object.',
      'Аннотации объекта.',
    ),
  }),
  'Standard Kubernetes metadata.',
  'Стандартные метаданные Kubernetes.',
);

/** One document kind: everything else about it (types, CRD, reference, `explain`) follows from this declaration. */
export function defineKind<Spec extends z.ZodType>(declaration: {
  kind: string;
  version: string;
  plural: string;
  description: Text;
  example: string;
  spec: Spec;
}): Kind<Spec> {
  const { kind, version, plural, description, example, spec } = declaration;
  const schema = z.strictObject({
    apiVersion: field(
      z.literal(`${group}/${version}`),
      'Group and version of the kind.',
      'Группа и версия вида объекта.',
    ),
    kind: field(z.literal(kind), 'Kind of the document.', 'Вид документа.'),
    metadata,
    spec,
  });
  return { kind, version, plural, description, example, schema };
}
