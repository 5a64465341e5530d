import { PemConverter } from './x509.ts';

/** Ends with a line break, so that texts can be put together to a chain. */
export function pem(label: 'CERTIFICATE' | 'X509 CRL', { rawData }: { rawData: ArrayBuffer }): string {
  return `${PemConverter.encode(rawData, label)}\n`;
}
