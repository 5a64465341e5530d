/** Text that a certificate can carry as a DNS name: visible ASCII. Whether it is a good name is not asked here. */
export function isDnsText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
