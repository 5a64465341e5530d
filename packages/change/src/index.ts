export { type ChangeInput, changeOf, digestOf, type ObservedMachine } from './compute.ts';
export { differenceOf, linesOf } from './difference.ts';
export type { CatalogChange, CatalogState, Change, FieldChange, MachineChange } from './schema.ts';
