// Must be imported first: the library below does not load without it.
import 'reflect-metadata';

export {
  type Attribute,
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ChallengePasswordAttribute,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  ExtensionsAttribute,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  PemConverter,
  Pkcs10CertificateRequest,
  PublicKey,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
  X509CrlGenerator,
  X509CrlReason,
} from '@peculiar/x509';
