export {
  type Authority,
  type AuthorityOrder,
  createIssuingAuthority,
  createRootAuthority,
  createStandaloneAuthority,
  type Issuer,
  openAuthority,
} from './authority.ts';
export {
  type CertificateOrder,
  type CertificateUsage,
  type IssuedCertificate,
  issueCertificate,
} from './certificate.ts';
export { fingerprintOf } from './fingerprint.ts';
export { createKeyPair, type KeyPair } from './keys.ts';
export { type CertificateRequest, readRequest } from './request.ts';
export { createRevocationList, type Revocations } from './revocation-list.ts';
export { createSealer, type Sealer } from './sealer.ts';
export type { Subject } from './subject.ts';
