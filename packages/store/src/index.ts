export { columnTypes, isPostgres, lockTable } from './dialects.ts';
export { GroupCommit } from './group-commit.ts';
export { migrate } from './migrations.ts';
export { openStore, type StoreLocation } from './open.ts';
