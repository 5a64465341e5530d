import { DiagnosticError } from '../protocol/diagnostics.ts';
import type { Element } from './elements.ts';
import { textAt } from './elements.ts';
import type { Response } from './http.ts';

/**
 * Why a request has no result yet: the object is locked, the engine is unreachable, or it is busy. Only a busy engine may
 * have done what it was asked for.
 */
export type Passing = 'locked' | 'unreachable' | 'busy';

/** A failure that may pass: another attempt makes sense. */
export class PassingError extends Error {
  readonly diagnostic: DiagnosticError;
  readonly reason: Passing;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(diagnostic: DiagnosticError, reason: Passing, retryAfter?: number) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

/** The object does not exist (404). */
export class GoneError extends DiagnosticError {}

/** The token is not accepted (401). */
export class LoginError extends DiagnosticError {}

const untrusted: ReadonlySet<string> = new Set([
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const notConnected: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** A request without a response. */
export function connectionFailure(error: NodeJS.ErrnoException, url: URL): Error {
  const { code = '', message } = error;
  const { host } = url;
  if (untrusted.has(code))
    return new DiagnosticError(
      'The certificate of the oVirt engine is not trusted',
      `The certificate of ${host} is not issued by a CA that the provider knows (${code}). Save the engine's CA from ` +
        `https://${host}/ovirt-engine/services/pki-resource?resource=ca-certificate&format=X509-PEM-CA and pass it in ` +
        'tls_ca_files or tls_ca_bundle.',
    );
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return new DiagnosticError(
      'The certificate of the oVirt engine is not valid now',
      `The certificate of ${host} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}. Check the clock ` +
        'of this computer, or renew the certificate on the engine (engine-setup renews it).',
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new DiagnosticError(
      'The certificate of the oVirt engine has another name',
      `${message}. Use the engine's name from its certificate in url.`,
    );
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return new DiagnosticError('The server does not speak HTTPS', `${host} responded, but not with TLS. Check url.`);
  return new PassingError(
    new DiagnosticError(
      'The oVirt engine is unreachable',
      `${host} does not respond (${code || message}). Check url, the network between this computer and the engine, and ` +
        'that the service ovirt-engine runs.',
    ),
    notConnected.has(code) ? 'unreachable' : 'busy',
  );
}

/** oVirt's texts of what passes by itself. */
const passing =
  /\b(is|are) (temporarily )?locked\b|image.?locked|related operation is currently in progress|hot-?plug disk|try again later/i;

/** A response that is an error, or no response of the API at all. */
export function responseFailure(
  call: string,
  { status, body, type, retryAfter }: Response,
  element: Element | undefined,
): Error {
  const detail = (textAt(element, 'detail') ?? textAt(element, 'fault.detail') ?? '').trim();
  const reason = textAt(element, 'reason') ?? textAt(element, 'fault.reason') ?? `HTTP ${status}`;
  if (element === undefined && status !== 401) {
    const content = /html/i.test(type) || /^\s*<(!doctype\s+)?html/i.test(body) ? 'an HTML page' : 'no XML';
    const refused = new DiagnosticError(
      'The oVirt engine is busy, or the address is not its API',
      `${call}: HTTP ${status} with ${content} instead of a response of the API. The engine or a proxy in front of it ` +
        'may be overloaded or restarting: try again in a few minutes. If it stays so, check url: it ends in /ovirt-engine/api.',
    );
    return new PassingError(refused, 'busy', retryAfter);
  }
  const described = detail === '' ? reason : `${reason}: ${detail}`;
  if (status === 401) return new LoginError('The oVirt engine does not accept the login', `${call}: ${described}`);
  if (status === 403)
    return new DiagnosticError(
      'The user has no permission for this',
      `${call}: ${described}. Give the user a role with this permission in the engine.`,
    );
  if (status === 404) return new GoneError('The oVirt engine has no such object', `${call}: ${described}`);
  const fault = new DiagnosticError('The oVirt engine refused a request', `${call}: ${described}`);
  if (status === 409 || passing.test(detail)) return new PassingError(fault, 'locked', retryAfter);
  if (status >= 500) return new PassingError(fault, 'busy', retryAfter);
  return fault;
}
