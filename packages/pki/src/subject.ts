import { Name } from './x509.ts';

export interface Subject {
  commonName: string;
  organizations: readonly string[];
}

export function nameOf({ commonName, organizations }: Subject): Name {
  // The library parses a plain string as an escaped expression: `#` starts hex, and quotes and backslashes disappear.
  return new Name([
    ...organizations.map((organization) => ({ O: [{ utf8String: organization }] })),
    { CN: [{ utf8String: commonName }] },
  ]);
}
