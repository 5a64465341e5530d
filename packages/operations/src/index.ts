export { type OperationKind, operation } from './definition.ts';
export { type Event, Journal, type NewEvent, type Writing } from './journal.ts';
export { Operations } from './operations.ts';
export { addOperationTitles, createOperationTables, type OperationState, type OperationsSchema } from './schema.ts';
export type { OperationView, StepView } from './views.ts';
