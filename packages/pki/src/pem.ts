import { PemConverter } from './x509.ts';

/** Ends with a newline, so that PEM blocks can be concatenated into a chain. */
export function pem(label: 'CERTIFICATE' | 'X509 CRL', { rawData }: { rawData: ArrayBuffer }): string {
  return `${PemConverter.encode(rawData, label)}\n`;
}
