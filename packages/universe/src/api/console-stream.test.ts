import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Duplex, Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { consoleEnds } from '@nova-platform/contracts/universe/consoles';
import { afterEach, expect, test } from 'vitest';
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws';
import { eventually } from '../testing/universe.ts';
import { consoleLimits, joinConsole } from './console-stream.ts';

const mebibyte = 1024 * 1024;
const opened: { close: () => void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

/** A browser that is joined to a console. */
async function join(console: Duplex, limits = {}, { isAllowed = async () => true, autoPong = true } = {}) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const joined = once(server, 'connection') as Promise<[WebSocket]>;
  const browser = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { autoPong });
  opened.push({ close: () => browser.terminate() }, server);
  browser.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => browser.once('close', resolve));
  const [[side]] = await Promise.all([joined, once(browser, 'open')]);
  const end = joinConsole(side, console, isAllowed, { ...consoleLimits, ...limits });
  return { browser, side, end, closed };
}

/** A console that neither sends nor takes anything. */
const silent = () => new Duplex({ read: () => undefined, write: () => undefined });
const echo = () =>
  new Duplex({
    read: () => undefined,
    write(bytes, _encoding, done) {
      this.push(bytes);
      done();
    },
  });

test('bytes pass in both directions as binary messages', async () => {
  const { browser, closed } = await join(echo());
  let received = '';
  browser.on('message', (bytes: Buffer, isBinary) => {
    expect(isBinary).toBe(true);
    received += bytes.toString();
  });
  browser.send(Buffer.from('bytes '));
  browser.send('text');
  await eventually(() => received === 'bytes text');
  browser.close();
  expect(await closed).toBe(1005);
});

test('a browser that does not read stops the console, and loses nothing', async () => {
  const total = 64;
  let produced = 0;
  const output = new Readable({
    highWaterMark: mebibyte,
    read() {
      produced += 1;
      this.push(produced > total ? null : Buffer.alloc(mebibyte, produced));
    },
  });
  const { browser, side, closed } = await join(Duplex.from({ readable: output, writable: new Writable() }));
  browser.pause();
  await eventually(() => side.bufferedAmount > 0);
  const before = produced;
  for (let count = 0; count < 200; count += 1) await turn();
  expect(produced).toBe(before);
  expect(produced).toBeLessThan(total / 2);
  const received = buffer(createWebSocketStream(browser));
  browser.resume();
  const bytes = await received;
  expect(bytes.length).toBe(total * mebibyte);
  expect([bytes[0], bytes.at(-1)]).toEqual([1, total]);
  expect(await closed).toBe(consoleEnds.stopped);
});

test('a console that takes nothing stops the browser, and loses nothing', async () => {
  const total = 32;
  let taken = 0;
  const waiting: (() => void)[] = [];
  let isBlocked = true;
  const console = new Duplex({
    read: () => undefined,
    write(bytes: Buffer, _encoding, done) {
      taken += bytes.length;
      if (isBlocked) waiting.push(done);
      else done();
    },
  });
  const { browser, side } = await join(console);
  for (let count = 0; count < total; count += 1) browser.send(Buffer.alloc(mebibyte));
  await eventually(() => side.isPaused);
  for (let count = 0; count < 200; count += 1) await turn();
  expect(taken + console.writableLength).toBeLessThan(8 * mebibyte);
  expect(browser.bufferedAmount).toBeGreaterThan(0);
  isBlocked = false;
  for (const done of waiting) done();
  await eventually(() => taken === total * mebibyte);
});

test('a console that stops closes the browser, also after an error', async () => {
  const ended = silent();
  const first = await join(ended);
  ended.push(null);
  expect(await first.closed).toBe(consoleEnds.stopped);
  const broken = silent();
  const second = await join(broken);
  broken.destroy(new Error('the connection is lost'));
  expect(await second.closed).toBe(consoleEnds.stopped);
});

test('a browser that leaves ends the console', async () => {
  for (const leave of ['close', 'terminate'] as const) {
    const console = silent();
    const { browser } = await join(console);
    browser[leave]();
    await once(console, 'close');
  }
});

test('an idle console is closed, one in use is not', async () => {
  const limits = { check: 5, idle: 500 };
  const idle = await join(silent(), limits);
  const console = silent();
  const used = await join(console, limits);
  const use = setInterval(() => console.push('output'), 5);
  expect(await idle.closed).toBe(consoleEnds.idle);
  expect(used.browser.readyState).toBe(used.browser.OPEN);
  clearInterval(use);
  expect(await used.closed).toBe(consoleEnds.idle);
});

test('a console is closed after its longest time, also in use', async () => {
  const console = echo();
  const { browser, closed } = await join(console, { check: 5, longest: 100 });
  const use = setInterval(() => browser.send('input'), 5);
  expect(await closed).toBe(consoleEnds.tooLong);
  clearInterval(use);
  await eventually(() => console.destroyed);
});

test('a browser that answers no pings is disconnected, also while the console sends', async () => {
  const console = silent();
  const use = setInterval(() => console.push('output'), 5);
  const { closed } = await join(console, { check: 5, silence: 100 }, { autoPong: false });
  expect(await closed).toBe(1006);
  clearInterval(use);
});

test('a console is closed when its user may no longer use it, and not while the store is unreachable', async () => {
  let answer = async () => true;
  let asked = 0;
  const isAllowed = async () => {
    asked += 1;
    return answer();
  };
  const { browser, closed } = await join(silent(), { check: 5 }, { isAllowed });
  answer = async () => {
    throw new Error('the store is unreachable');
  };
  const before = asked;
  await eventually(() => asked > before + 3);
  expect(browser.readyState).toBe(browser.OPEN);
  answer = async () => false;
  expect(await closed).toBe(consoleEnds.revoked);
});

test('input after the end of a console goes nowhere', async () => {
  let taken = '';
  const console = new Duplex({
    read: () => undefined,
    write(bytes: Buffer, _encoding, done) {
      taken += bytes.toString();
      done();
    },
  });
  const { browser, end, closed } = await join(console);
  browser.send('before');
  await eventually(() => taken === 'before');
  end(consoleEnds.revoked);
  browser.send('after');
  expect(await closed).toBe(consoleEnds.revoked);
  expect(taken).toBe('before');
});
