import { createHash } from 'node:crypto';

/**
 * The `ca_fingerprint` setting of a Puppet agent: SHA-256 of the exact bytes that the server sends for
 * `certificate/ca`, including every certificate in the bundle, in hexadecimal without colons.
 */
export function fingerprintOf(pem: string): string {
  return createHash('sha256').update(pem).digest('hex');
}
