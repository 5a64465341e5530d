import { consolePath } from '../engine/consoles.ts';

export { type ConsoleKind, consoleKinds } from '../engine/consoles.ts';

/**
 * The path of a VM's console, for a WebSocket whose binary messages are its bytes. Without an upgrade the request is
 * answered like any other call, so a page can read why a WebSocket was refused.
 */
export const machineConsolePath = (...console: Parameters<typeof consolePath>): string =>
  `/api${consolePath(...console)}`;

/** Why Universe closes a console: the codes of WebSocket's close event. */
export const consoleEnds = {
  /** The machine or its console has stopped. */
  stopped: 1000,
  /** Universe stops or restarts. */
  restart: 1001,
  /** The session or the token has ended, or the user may no longer open consoles. */
  revoked: 4001,
  /** Nothing was sent in either direction for half an hour. */
  idle: 4002,
  /** It was open for twelve hours. */
  tooLong: 4003,
} as const;
