export { openRepositories, type Repositories } from './repositories.ts';
