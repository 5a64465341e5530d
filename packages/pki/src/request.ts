import { createPublicKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { isDnsText } from './dns-text.ts';
import type { Subject } from './subject.ts';
import {
  type Attribute,
  ChallengePasswordAttribute,
  type Extension,
  ExtensionsAttribute,
  type Name,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
} from './x509.ts';

/** The contents of a certificate request. The request alone grants nothing. */
export interface CertificateRequest {
  subject: Subject;
  /** SPKI PEM */
  publicKey: string;
  dnsNames: string[];
  addresses: string[];
  /** Object identifiers of all requested extensions, including subject alternative names (2.5.29.17). */
  extensions: string[];
  /** The enrolment token of an agent; a secret. */
  challengePassword?: string;
}

const sizeLimit = 16 * 1024;
const challengePassword = '1.2.840.113549.1.9.7';
const extensionRequest = '1.2.840.113549.1.9.14';
const damaged: Text = { en: 'the request is damaged', ru: 'запрос повреждён' };
const pemBlock = /^\s*-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----\s*$/;

/**
 * Parses a certificate request from an untrusted sender. The request is signed with its own key, the key is strong
 * enough, and no part of the request is ambiguous. Throws a ProblemError otherwise.
 */
export async function readRequest(pem: string): Promise<CertificateRequest> {
  const { request, key, content } = parse(pem);
  refuseWeakKey(key);
  if (!(await isSignedByItsKey(request))) throw new ProblemError(problem('NOVA8102', {}));
  return content;
}

interface ParsedRequest {
  request: Pkcs10CertificateRequest;
  key: KeyObject;
  content: CertificateRequest;
}

function parse(pem: string): ParsedRequest {
  try {
    const request = new Pkcs10CertificateRequest(derOf(pem));
    const key = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: 'der', type: 'spki' });
    return { request, key, content: contentOf(request, key) };
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    // Drop the parser's message: it may quote the request, and with it the token.
    throw unreadable(damaged);
  }
}

function derOf(pem: string): Buffer {
  if (pem.length > sizeLimit) throw unreadable({ en: 'the request is larger than 16 KiB', ru: 'запрос больше 16 КиБ' });
  const base64 = pemBlock.exec(pem)?.[1];
  if (base64 === undefined) {
    throw unreadable({
      en: 'the request must be one PEM block “CERTIFICATE REQUEST”',
      ru: 'запрос должен быть одним блоком PEM «CERTIFICATE REQUEST»',
    });
  }
  const der = Buffer.from(base64, 'base64');
  // The library treats bytes that do not start a sequence as text, and would try several encodings.
  if (der[0] !== 0x30) throw unreadable(damaged);
  return der;
}

function contentOf(request: Pkcs10CertificateRequest, key: KeyObject): CertificateRequest {
  const extensions = extensionsOf(request);
  const password = attributeOf(request, challengePassword);
  return {
    subject: subjectOf(request.subjectName),
    publicKey: key.export({ type: 'spki', format: 'pem' }).toString(),
    ...alternativeNamesOf(extensions),
    extensions: extensions.map(({ type }) => type),
    ...(password instanceof ChallengePasswordAttribute && { challengePassword: password.password }),
  };
}

function subjectOf(name: Name): Subject {
  const [commonName, ...more] = name.getField('CN');
  if (!commonName || more.length > 0) {
    throw unreadable({
      en: 'the subject must have exactly one common name',
      ru: 'в субъекте должно быть ровно одно общее имя (CN)',
    });
  }
  const organizations = name.getField('O');
  refuseControlCharacters([commonName, ...organizations]);
  return { commonName, organizations };
}

function extensionsOf(request: Pkcs10CertificateRequest): Extension[] {
  const asked = attributeOf(request, extensionRequest);
  return asked instanceof ExtensionsAttribute ? asked.items : [];
}

function alternativeNamesOf(extensions: Extension[]): { dnsNames: string[]; addresses: string[] } {
  const names = extensions.flatMap((each) => (each instanceof SubjectAlternativeNameExtension ? each.names.items : []));
  if (!names.every(({ type, value }) => (type === 'dns' && isDnsText(value)) || (type === 'ip' && isIP(value)))) {
    throw unreadable({
      en: 'alternative names must be DNS names or addresses',
      ru: 'альтернативные имена должны быть именами DNS или адресами',
    });
  }
  const valuesOf = (wanted: string) => names.filter(({ type }) => type === wanted).map(({ value }) => value);
  return { dnsNames: valuesOf('dns'), addresses: valuesOf('ip') };
}

/** At most one: with several values, each reader may pick a different one. */
function attributeOf(request: Pkcs10CertificateRequest, type: string): Attribute | undefined {
  const [found, ...more] = request.getAttributes(type);
  if (more.length > 0 || (found && found.values.length !== 1)) {
    throw unreadable({ en: 'an attribute has several values', ru: 'у атрибута несколько значений' });
  }
  return found;
}

function refuseControlCharacters(names: string[]): void {
  if (names.some((name) => /\p{Cc}/u.test(name))) {
    throw unreadable({
      en: 'the subject contains control characters',
      ru: 'в субъекте есть управляющие символы',
    });
  }
}

function unreadable(reason: Text): ProblemError {
  return new ProblemError(problem('NOVA8101', { reason }));
}

function refuseWeakKey(key: KeyObject): void {
  if (!isStrong(key)) throw new ProblemError(problem('NOVA8103', { kind: kindOf(key) }));
}

function isStrong({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = details ?? {};
  // Small exponents make forgery easier; with exponent 1 every forgery succeeds.
  if (type === 'rsa') return modulusLength >= 2048 && modulusLength <= 8192 && publicExponent >= 65537n;
  return type === 'ec' && ['prime256v1', 'secp384r1'].includes(namedCurve);
}

/** `RSA 1024`, `EC secp521r1`, `ED25519` */
function kindOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  const size = details?.modulusLength ?? details?.namedCurve ?? '';
  return `${type?.toUpperCase()} ${size}`.trim();
}

async function isSignedByItsKey(request: Pkcs10CertificateRequest): Promise<boolean> {
  try {
    return await request.verify();
  } catch {
    // The signature does not match the type of the key, or is malformed.
    return false;
  }
}
