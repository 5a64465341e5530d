import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';

export interface Sealer {
  seal(plain: string, context: string): string;
  /** Opens only what was sealed for the same context. */
  open(sealed: string, context: string): string;
}

const algorithm = 'aes-256-gcm';
const prefix = 'v1:';
const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;

/**
 * Seals secrets at rest. The context says what the secret is (`authority/universe`) and is authenticated with it, so
 * that no sealed value can be put in another's place.
 */
export function createSealer(masterKey: Buffer): Sealer {
  if (masterKey.length !== keyLength) throw new RangeError(`A master key has ${keyLength} bytes`);
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
  };
}

function bytesOf(sealed: string): Buffer {
  const bytes = Buffer.from(sealed.slice(prefix.length), 'base64');
  // Decoding passes over what is not Base64, so only the text that would be written again is the text that was written.
  if (sealed !== prefix + bytes.toString('base64') || bytes.length < nonceLength + tagLength) throw new RangeError();
  return bytes;
}
