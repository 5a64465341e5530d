import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** The scrypt cost of one guess: for passwords as much as a user tolerates, for random tokens next to nothing. */
export const costs = { password: 2 ** 15, token: 2 ** 10 } as const;

/** `scrypt$<cost>$<salt>$<hash>`: old hashes stay valid when the cost changes. */
export async function hashSecret(secret: string, cost: number): Promise<string> {
  const salt = randomBytes(16);
  return ['scrypt', cost, salt.toString('base64url'), (await hashOf(secret, salt, cost)).toString('base64url')].join(
    '$',
  );
}

export async function isSecret(secret: string, stored: string): Promise<boolean> {
  const [, cost, salt = '', hash = ''] = stored.split('$');
  const expected = Buffer.from(hash, 'base64url');
  return timingSafeEqual(await hashOf(secret, Buffer.from(salt, 'base64url'), Number(cost)), expected);
}

function hashOf(secret: string, salt: Buffer, cost: number): Promise<Buffer> {
  return derive(secret.normalize('NFC'), salt, 32, { N: cost, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
}
