import type { Text } from '@nova-platform/api';

/** One part of an installation. Every step can be repeated: it does only what is missing. */
export interface Step {
  title: Text;
  /** Returns whether anything changed, or a warning if what has changed does not work yet. */
  run: (report: Report) => Promise<boolean | Warning>;
}

export interface Warning {
  warning: Text;
}

/** Receives the progress of a step. */
export type Report = (line: Text | string) => void;
