import { ProblemError, problem, type Text } from '@nova-platform/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { nameOf } from '../access/roles.ts';
import { closeUnread } from './access.ts';

const retryAfterSeconds = 5;

/** Limits the concurrent requests of one kind per client: a user, a node, a cluster's Flux, or an address. */
export class ClientLimit {
  readonly #most: number;
  readonly #what: Text;
  readonly #open = new Map<string, number>();

  constructor(most: number, what: Text) {
    this.#most = most;
    this.#what = what;
  }

  /** Counts a request until its response is closed; excess ones get 429 with Retry-After. */
  enter(request: FastifyRequest, reply: FastifyReply): void {
    // It left before: nothing would end its request.
    if (reply.raw.destroyed) return;
    const client = request.identity ? nameOf(request.identity) : request.from;
    const count = this.#open.get(client) ?? 0;
    if (count >= this.#most) {
      reply.header('retry-after', String(retryAfterSeconds));
      closeUnread(request, reply);
      throw new ProblemError(problem('NOVA8424', { what: this.#what, limit: this.#most, seconds: retryAfterSeconds }));
    }
    this.#open.set(client, count + 1);
    reply.raw.once('close', () => {
      const left = (this.#open.get(client) ?? 1) - 1;
      if (left > 0) this.#open.set(client, left);
      else this.#open.delete(client);
    });
  }
}
