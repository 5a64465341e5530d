export { type OperationKind, operation, TryAgain } from './definition.ts';
export { type Event, Journal, type NewEvent, type Writing } from './journal.ts';
export { Operations, type OperationView, type StepView } from './operations.ts';
export { createOperationTables, type OperationState, type OperationsSchema } from './schema.ts';
