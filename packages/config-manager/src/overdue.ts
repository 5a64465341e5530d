/**
 * Certificates are renewed when a third of their lifetime is left. With less than this share left, the renewal has
 * failed.
 */
const renewedWithLeft = 1 / 4;

/** When the renewal of a certificate issued now is overdue, in milliseconds. */
export function overdueAt(notAfter: Date): number {
  const end = notAfter.getTime();
  return Math.round(end - (end - Date.now()) * renewedWithLeft);
}
