import { createHash } from 'node:crypto';

/**
 * What a puppet agent's `ca_fingerprint` takes: SHA-256 of the text that the server sends for `certificate/ca`, to the
 * byte and with every certificate in it, as hexadecimal digits without colons.
 */
export function fingerprintOf(pem: string): string {
  return createHash('sha256').update(pem).digest('hex');
}
