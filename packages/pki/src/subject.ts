import { Name } from './x509.ts';

export interface Subject {
  commonName: string;
  organizations: readonly string[];
}

export function nameOf({ commonName, organizations }: Subject): Name {
  // A plain string would be read as an escaped expression: `#` begins hex, quotes and backslashes vanish.
  return new Name([
    ...organizations.map((organization) => ({ O: [{ utf8String: organization }] })),
    { CN: [{ utf8String: commonName }] },
  ]);
}
