// The client is a separate entry point: a command that only calls an API must not load the server.
export { createHttpApi, expectedBy, type HttpApi, type HttpApiOptions } from './api.ts';
export type { ApiClient, Connection } from './client.ts';
export { type Access, type Contract, type Handlers, type Route, type RouteCall, serve } from './contract.ts';
export { isAnswered } from './socket.ts';
export { streamLines } from './stream.ts';
export { isHandshake, upgradeOf } from './upgrade.ts';
