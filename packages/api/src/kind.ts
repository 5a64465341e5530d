import { z } from 'zod';
import { field } from './field.ts';
import { string } from './formats.ts';
import type { Text } from './text.ts';

export const group = 'config.nova-platform.io';

/** A rule between fields, for the API server. */
export interface Validation {
  /** A CEL expression on the spec. */
  rule: string;
  message: string;
}

export interface Kind<Spec extends z.ZodType = z.ZodType> {
  kind: string;
  version: string;
  plural: string;
  description: Text;
  /** A complete, valid manifest; shown by `explain` and in the reference. */
  example: string;
  validations: readonly Validation[];
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

/** Metadata that the API server adds to an object. Documents can contain them; they are ignored. */
export const serverMetadata = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
  'ownerReferences',
  'finalizers',
];

/** The annotation of `kubectl apply`: the whole document, with its secrets. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Removes the fields that the API server and kubectl add, so that the output of `kubectl get -o yaml` can be applied
 * again.
 */
export function withoutServerFields(document: object): object {
  const { status: _, ...declared } = document as Record<string, unknown>;
  const { metadata } = declared;
  if (!isMapping(metadata)) return declared;
  const kept = omit(metadata, serverMetadata);
  const annotations = isMapping(kept.annotations) && { annotations: omit(kept.annotations, [lastApplied]) };
  return { ...declared, metadata: { ...kept, ...annotations } };
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function omit(mapping: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(mapping).filter(([key]) => !keys.includes(key)));
}

/** Declares a document kind. Types, CRD, reference and `explain` are derived from it. */
export function defineKind<Spec extends z.ZodType>(declaration: {
  kind: string;
  version: string;
  plural: string;
  description: Text;
  example: string;
  validations?: readonly Validation[];
  spec: Spec;
}): Kind<Spec> {
  const { kind, version, plural, description, example, validations = [], spec } = declaration;
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
  return { kind, version, plural, description, example, validations, schema };
}
