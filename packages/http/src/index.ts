// The client is an entry point of its own: a command that only calls an API must not load the server.
export { createHttpApi, type HttpApi } from './api.ts';
export { isAnswered } from './socket.ts';
export { streamLines } from './stream.ts';
