import type { Problem, Text } from '@nova-platform/api';
import type { OperationKind } from './definition.ts';
import type { OperationState, StepState } from './schema.ts';
import { type Failure, isStarted, type OperationRow, type StepRow } from './store.ts';

export interface StepView {
  name: string;
  title: Text;
  state: StepState;
  attempts: number;
  startedAt?: string;
  endedAt?: string;
  result?: unknown;
  problems?: Problem[];
}

export interface OperationView {
  id: number;
  kind: string;
  title: Text;
  /** Operations with the same lock never run at the same time. */
  lock?: string;
  state: OperationState;
  isCancelling: boolean;
  requestedBy: string;
  createdAt: string;
  endedAt?: string;
  failure?: Failure;
  /** After a cancellation: steps that could not be undone. */
  kept?: string[];
  steps: StepView[];
}

/** An operation of an older release can be of an unknown kind. Then names stand in for missing titles. */
export function operationView(
  kind: OperationKind | undefined,
  row: OperationRow,
  steps: readonly StepRow[],
): OperationView {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title === null ? (kind?.title ?? { en: row.kind, ru: row.kind }) : (JSON.parse(row.title) as Text),
    ...(row.lock !== null && { lock: row.lock }),
    state: row.state,
    isCancelling: row.is_cancelling === 1,
    requestedBy: row.requested_by,
    createdAt: timeOf(row.created_at),
    ...(row.ended_at !== null && { endedAt: timeOf(row.ended_at) }),
    ...(row.failure !== null && { failure: JSON.parse(row.failure) as Failure }),
    ...(row.state === 'cancelled' && { kept: steps.filter(isStarted).map(({ name }) => name) }),
    steps: steps.map((step) => stepView(kind, step)),
  };
}

function stepView(kind: OperationKind | undefined, step: StepRow): StepView {
  return {
    name: step.name,
    title: kind?.stepOf(step.name)?.title ?? { en: step.name, ru: step.name },
    state: step.state,
    attempts: step.attempts,
    ...(step.started_at !== null && { startedAt: timeOf(step.started_at) }),
    ...(step.ended_at !== null && { endedAt: timeOf(step.ended_at) }),
    ...(step.result !== null && { result: JSON.parse(step.result) as unknown }),
    ...(step.failure !== null && { problems: JSON.parse(step.failure) as Problem[] }),
  };
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
