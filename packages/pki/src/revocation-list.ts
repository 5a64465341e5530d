import type { Issuer } from './authority.ts';
import { pem } from './pem.ts';
import { signingAlgorithm, validFrom } from './sign.ts';
import { Extension, X509CrlGenerator, X509CrlReason } from './x509.ts';

export interface Revocations {
  revoked: readonly { serial: string; at: Date }[];
  /** Increases with every list of the same CA. */
  number: number;
  nextUpdate: Date;
}

const crlNumber = '2.5.29.20';

export async function createRevocationList(
  issuer: Issuer,
  { revoked, number, nextUpdate }: Revocations,
): Promise<string> {
  const list = await X509CrlGenerator.create({
    issuer: issuer.name,
    thisUpdate: validFrom(),
    nextUpdate,
    // Without a reason the library writes an empty list of extensions, which the standard forbids.
    entries: revoked.map(({ serial, at }) => ({
      serialNumber: serial,
      revocationDate: at,
      reason: X509CrlReason.privilegeWithdrawn,
    })),
    extensions: [issuer.keyIdentifier, new Extension(crlNumber, false, derInteger(number))],
    signingKey: issuer.key,
    signingAlgorithm,
  });
  // Puppet agents look for this label and ignore `CRL`, the library's default.
  return pem('X509 CRL', list);
}

function derInteger(value: number): Buffer {
  const hex = value.toString(16);
  // A leading one bit would make the integer negative.
  const bytes = Buffer.from(hex.length % 2 === 1 ? `0${hex}` : /^[89a-f]/.test(hex) ? `00${hex}` : hex, 'hex');
  return Buffer.concat([Buffer.from([0x02, bytes.length]), bytes]);
}
