import { describe, ProblemError, type Text } from '@nova-platform/api';

/** The reason why a source did not respond. */
export function reasonOf(error: unknown): string | Text {
  const [first] = error instanceof ProblemError ? error.problems : [];
  if (first) return { en: describe(first, 'en').message, ru: describe(first, 'ru').message };
  const { message, cause } = error as Error;
  const { code = '' } = (cause ?? error) as NodeJS.ErrnoException;
  return (Object.hasOwn(failures, code) ? failures[code] : undefined) ?? message;
}

/** Errors of connections. */
const failures: Record<string, Text> = {
  ECONNREFUSED: { en: 'the connection was refused.', ru: 'в соединении отказано.' },
  ECONNRESET: { en: 'the connection was reset.', ru: 'соединение сброшено.' },
  EHOSTUNREACH: { en: 'no route to host.', ru: 'нет маршрута к хосту.' },
  ENETUNREACH: { en: 'the network is unreachable.', ru: 'сеть недоступна.' },
  ETIMEDOUT: { en: 'the connection timed out.', ru: 'время ожидания истекло.' },
  CERT_HAS_EXPIRED: { en: 'the certificate expired.', ru: 'срок действия сертификата истёк.' },
};
