/**
 * Text that a certificate can carry as a DNS name: visible ASCII. This does not check that the name is valid in DNS.
 */
export function isDnsText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
