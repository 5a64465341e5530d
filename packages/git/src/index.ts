export { openRepositories, type Repositories } from './repositories.ts';
export { runGit } from './run.ts';
export { serveRepositories } from './service.ts';
