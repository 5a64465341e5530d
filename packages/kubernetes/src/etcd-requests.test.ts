import { createServer } from 'node:https';
import { createKeyPair, createStandaloneAuthority, issueCertificate, openAuthority } from '@nova-platform/pki';
import { expect, onTestFinished, test } from 'vitest';
import { Etcd, type Member } from './etcd.ts';

/** An etcd of members that give these responses, or none. All use the same port, so each has its own address. */
async function storeOf(...answers: ({ status: number; message?: string } | 'never')[]): Promise<Etcd> {
  const order = { subject: { commonName: 'etcd', organizations: [] }, lifetimeHours: 1 };
  const issuer = await openAuthority(await createStandaloneAuthority(order));
  const { privateKey: key, publicKey } = await createKeyPair();
  const addresses = answers.map((_, index) => `127.0.78.${index + 1}`);
  const asked = { ...order, publicKey, dnsNames: [], addresses, usages: ['server auth' as const] };
  const { certificate: cert } = await issueCertificate(issuer, asked);
  for (const [index, answer] of answers.entries()) {
    const server = createServer({ key, cert }, (_request, response) => {
      if (answer !== 'never') response.writeHead(answer.status).end(JSON.stringify({ message: answer.message }));
    });
    await new Promise<void>((ready) => server.listen(2379, addresses[index], ready));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
  }
  const etcd = new Etcd(addresses, { ca: issuer.certificate, cert, key, host: '', port: 0 });
  onTestFinished(() => etcd.close());
  return etcd;
}

test('removal succeeds if an earlier request that timed out has removed the member', async () => {
  const etcd = await storeOf('never', { status: 404, message: 'etcdserver: member not found' });
  await etcd.remove('1');
});

test('any other refusal is an error', async () => {
  const etcd = await storeOf({ status: 503, message: 'etcdserver: unhealthy cluster' });
  await expect(etcd.remove('1')).rejects.toThrow('unhealthy cluster');
});

test('transfer of the leadership succeeds if the member is no longer the leader', async () => {
  const etcd = await storeOf({ status: 400, message: 'etcdserver: not leader' });
  const member = (number: number): Member => ({
    id: String(number),
    address: `127.0.78.${number}`,
    isLearner: false,
    isHealthy: true,
    isLeader: number === 1,
  });
  await etcd.transferLead(member(1), member(2));
});
