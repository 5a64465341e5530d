/** Lifetimes differ, so a certificate is a warning once its node should have renewed it. */
export function certificateLook(
  { notAfter, overdueAt }: { notAfter: string; overdueAt: string },
  now: number,
): 'good' | 'warning' | 'bad' {
  if (Date.parse(notAfter) < now) return 'bad';
  return Date.parse(overdueAt) < now ? 'warning' : 'good';
}
