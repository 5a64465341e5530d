import type { Duplex } from 'node:stream';
import { consoleEnds } from '@nova-platform/contracts/universe/consoles';
import { createWebSocketStream, type WebSocket } from 'ws';

/** In milliseconds. */
export interface ConsoleLimits {
  /** Between checks of the user and of the other limits. */
  check: number;
  /** Without a byte in either direction. */
  idle: number;
  longest: number;
  /** Without input or the response to a ping. */
  silence: number;
}

const minute = 60_000;
export const consoleLimits: ConsoleLimits = { check: 5000, idle: 30 * minute, longest: 720 * minute, silence: minute };

/** Milliseconds within which a browser confirms the end of a console. */
const longestClose = 5000;

/**
 * Joins a browser to a console until one of them ends, a limit is reached, or the user may no longer use it. Neither
 * side is read faster than the other one takes the bytes. Returns a function that ends it with a code.
 */
export function joinConsole(
  browser: WebSocket,
  console: Duplex,
  isAllowed: () => Promise<boolean>,
  limits = consoleLimits,
): (code: number) => void {
  const start = Date.now();
  let lastByte = start;
  let lastSign = start;
  const heard = () => {
    lastByte = Date.now();
    lastSign = lastByte;
  };
  const end = (code: number) => {
    console.destroy();
    if (browser.readyState !== browser.OPEN) return;
    browser.close(code);
    setTimeout(() => browser.terminate(), longestClose).unref();
  };

  const typed = createWebSocketStream(browser);
  typed.on('error', () => undefined);
  typed.on('data', heard);
  typed.pipe(console);
  const show = async () => {
    for await (const bytes of console) {
      lastByte = Date.now();
      await new Promise<void>((sent) => browser.send(bytes as Buffer, { binary: true }, () => sent()));
    }
  };
  console.on('error', () => undefined);
  void show().then(
    () => end(consoleEnds.stopped),
    () => end(consoleEnds.stopped),
  );

  const check = async () => {
    const now = Date.now();
    if (now - lastByte >= limits.idle) return end(consoleEnds.idle);
    if (now - start >= limits.longest) return end(consoleEnds.tooLong);
    // While the console takes no bytes, the browser is not read.
    if (now - lastSign >= limits.silence && !browser.isPaused) return browser.terminate();
    browser.ping();
    // While the store is unreachable, no user can be removed; the next check decides.
    if (!(await isAllowed().catch(() => true))) end(consoleEnds.revoked);
  };
  const timer = setInterval(() => void check(), limits.check);
  browser.on('pong', () => {
    lastSign = Date.now();
  });
  browser.once('close', () => {
    clearInterval(timer);
    console.destroy();
  });
  return end;
}
