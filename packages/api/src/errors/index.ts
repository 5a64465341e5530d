import type { Text } from '../text.ts';
import { access } from './access.ts';
import { certificates } from './certificates.ts';
import { changes } from './changes.ts';
import { clusters } from './clusters.ts';
import { commandLine } from './command-line.ts';
import { components } from './components.ts';
import { configuration } from './configuration.ts';
import { delivery } from './delivery.ts';
import { documents } from './documents.ts';
import { engine } from './engine.ts';
import { files } from './files.ts';
import { hosts } from './hosts.ts';
import { internal } from './internal.ts';
import { operations } from './operations.ts';
import { ovirt } from './ovirt.ts';
import { planning } from './planning.ts';
import { providerErrors } from './providers.ts';
import { rules } from './rules.ts';
import { storage } from './storage.ts';
import { universe } from './universe.ts';

/** All areas, in the order of the reference pages. */
export const errorAreas = [
  files,
  documents,
  rules,
  changes,
  planning,
  commandLine,
  engine,
  storage,
  ovirt,
  configuration,
  certificates,
  components,
  operations,
  access,
  universe,
  clusters,
  providerErrors,
  delivery,
  hosts,
  internal,
];

/** Every error that users can get, by its code. */
export const errors = {
  ...files.errors,
  ...documents.errors,
  ...rules.errors,
  ...changes.errors,
  ...planning.errors,
  ...commandLine.errors,
  ...engine.errors,
  ...storage.errors,
  ...ovirt.errors,
  ...configuration.errors,
  ...certificates.errors,
  ...components.errors,
  ...operations.errors,
  ...access.errors,
  ...universe.errors,
  ...clusters.errors,
  ...providerErrors.errors,
  ...delivery.errors,
  ...hosts.errors,
  ...internal.errors,
};

export type ErrorCode = keyof typeof errors;

type Placeholders<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The parameters in the texts of an error, so that none is forgotten. */
export type ErrorParams<C extends ErrorCode> = Record<
  Placeholders<(typeof errors)[C]['message']['en'] | (typeof errors)[C]['remedy']['en']>,
  string | number | Text
>;
