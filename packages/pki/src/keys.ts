import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

export interface KeyPair {
  /** PKCS#8 PEM */
  privateKey: string;
  /** SPKI PEM */
  publicKey: string;
}

/** A new EC P-256 key. */
export function createKeyPair(): Promise<KeyPair> {
  return promisify(generateKeyPair)('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
