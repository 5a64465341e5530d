import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';

export interface Sealer {
  seal(plain: string, context: string): string;
  /** Opens only values that were sealed with the same context. */
  open(sealed: string, context: string): string;
  /** Equal secrets have equal fingerprints. Checking a guess requires the master key. */
  fingerprint(plain: string, context: string): string;
}

const algorithm = 'aes-256-gcm';
const prefix = 'v1:';
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts secrets at rest. The context names the secret (`authority/universe`) and is authenticated with it, so that
 * one sealed value cannot replace another.
 */
export function createSealer(masterKey: Buffer): Sealer {
  if (masterKey.length !== keyLength) throw new RangeError(`A master key has ${keyLength} bytes`);
  const fingerprintKey = Buffer.from(hkdfSync('sha256', masterKey, '', 'fingerprint', keyLength));
  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv(algorithm, masterKey, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return prefix + Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64');
    },
    open(sealed, context) {
      try {
        const bytes = bytesOf(sealed);
        const nonce = bytes.subarray(0, nonceLength);
        const decipher = createDecipheriv(algorithm, masterKey, nonce, { authTagLength: tagLength })
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(-tagLength));
        return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        throw new ProblemError(problem('NOVA8104', { what: context }));
      }
    },
    fingerprint(plain, context) {
      return createHmac('sha256', fingerprintKey)
        .update(JSON.stringify([context, plain]))
        .digest('hex');
    },
  };
}

function bytesOf(sealed: string): Buffer {
  const bytes = Buffer.from(sealed.slice(prefix.length), 'base64');
  // Base64 decoding ignores invalid characters, so only the canonical encoding is accepted.
  if (sealed !== prefix + bytes.toString('base64') || bytes.length < nonceLength + tagLength) throw new RangeError();
  return bytes;
}
