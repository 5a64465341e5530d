/** Certificates are renewed with a third of their life left: with less than this nobody did. */
const renewedWithLeft = 1 / 4;

/** When a certificate that is issued now should have been renewed, in milliseconds. */
export function overdueAt(notAfter: Date): number {
  const end = notAfter.getTime();
  return Math.round(end - (end - Date.now()) * renewedWithLeft);
}
