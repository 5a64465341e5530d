import type { Duplex } from 'node:stream';
import { formatted, ProblemError, problem } from '@nova-platform/api';
import { consoleEnds, consoleKinds } from '@nova-platform/contracts/universe/consoles';
import { type HttpApi, upgradeOf } from '@nova-platform/http';
import type { FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { assertAccess, includes } from '../access/roles.ts';
import type { Machines } from '../machines/machines.ts';
import type { Role } from '../store/schema.ts';
import { assertOwnPage, type Guard } from './access.ts';
import { ClientLimit } from './client-limit.ts';
import { joinConsole } from './console-stream.ts';

const access = 'operator';
/** Who uses the console of a node is root in its cluster. */
const accessOfNodes = 'admin';
/** Open consoles of one user. */
const maxConsoles = 20;
/** A longer message closes the console. */
const maxMessage = 1024 * 1024;

/** The paths that accept a WebSocket. */
export const consolePaths = new RegExp(`^/api/v1/machines/[^/?]+/(${consoleKinds.join('|')})(\\?|$)`);

const descriptions = {
  screen: {
    operationId: 'openScreen',
    summary: 'Opens the screen of a VM: a WebSocket whose binary messages are RFB (VNC)',
  },
  serial: {
    operationId: 'openSerialConsole',
    summary: 'Opens the serial console of a VM: a WebSocket whose binary messages are the bytes of a terminal',
  },
};

/** The consoles of VMs, for browsers. A console ends with the session or the token that opened it. */
export function serveMachineConsoles(api: HttpApi, machines: Machines, { identify, record }: Guard): void {
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxMessage,
  });
  const limit = new ClientLimit(maxConsoles, { en: 'consoles', ru: 'консолей' });
  const open = new Set<(code: number) => void>();
  let isStopping = false;
  api.addHook('preClose', async () => {
    isStopping = true;
    for (const end of open) end(consoleEnds.restart);
  });

  const join = (browser: WebSocket, console: Duplex, request: FastifyRequest, needed: Role) => {
    const isAllowed = async () => {
      const identity = await identify(request);
      return identity?.kind === 'user' && includes(identity.role, needed);
    };
    const end = joinConsole(browser, console, isAllowed);
    open.add(end);
    browser.once('close', () => open.delete(end));
    if (isStopping) end(consoleEnds.restart);
  };

  for (const kind of consoleKinds)
    api.get(
      `/api/v1/machines/:machine/${kind}`,
      {
        exposeHeadRoute: false,
        schema: {
          ...descriptions[kind],
          params: z.object({ machine: formatted('label', 40) }),
          response: { 101: z.string() },
        },
        config: { access },
      },
      async (request, reply) => {
        const { machine: name } = request.params;
        assertOwnPage(request);
        const machine = await machines.show(name);
        const needed = machine.cluster === undefined ? access : accessOfNodes;
        assertAccess(request.identity, needed, machine.cluster);
        if (machine.kind !== 'vm') throw new ProblemError(problem('NOVA8436', { name }));
        if (machine.state !== 'running') throw new ProblemError(problem('NOVA7011', { name }));
        limit.enter(request, reply);
        const console = await machines.engine.openConsole(name, kind);
        // Also if the client leaves now, or its handshake is not valid.
        reply.raw.once('close', () => console.destroy());
        if (reply.raw.destroyed) console.destroy();
        const upgrade = upgradeOf(request);
        if (!upgrade) throw new ProblemError(problem('NOVA8437', {}));
        const { socket, head } = upgrade;
        await record(request, 101);
        reply.hijack();
        webSockets.handleUpgrade(request.raw, socket, head, (browser) => join(browser, console, request, needed));
      },
    );
}
