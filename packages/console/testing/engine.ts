import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createKeyPair, createStandaloneAuthority, issueCertificate, openAuthority } from '@nova-platform/pki';
import type { TestUniverse } from '../../universe/src/testing/universe.ts';

const host = '127.0.0.1';

/** Stands for an engine that answers what it is asked with what is given; from now on it is this Universe's. */
export async function connectEngine({ local }: Pick<TestUniverse, 'local'>, answers: Record<string, unknown>) {
  const order = { subject: { commonName: 'engine', organizations: [] }, lifetimeHours: 24 * 60 };
  const authority = await openAuthority(await createStandaloneAuthority(order));
  const certify = async (publicKey: string) =>
    (
      await issueCertificate(authority, {
        ...order,
        publicKey,
        dnsNames: [],
        addresses: [host],
        usages: ['server auth', 'client auth'],
      })
    ).certificate;
  const { privateKey: key, publicKey } = await createKeyPair();
  const server = createServer({ key, cert: await certify(publicKey) }, ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[url] ?? []));
  });
  await new Promise<void>((started) => server.listen(0, host, started));
  const identity = await local.engineIdentity({});
  await local.acceptEngineIdentity({
    body: {
      certificate: await certify(identity.publicKey),
      authority: authority.certificate,
      host,
      port: (server.address() as AddressInfo).port,
    },
  });
  return {
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
