export type { Identity } from './api/identity.ts';
export { type ApiOptions, serveApi } from './api/serve.ts';
