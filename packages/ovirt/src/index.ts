export { type ApiOptions, type Identity, serveApi } from './api/serve.ts';
