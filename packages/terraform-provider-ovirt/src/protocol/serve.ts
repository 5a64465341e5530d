import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import { createKeyPair, createStandaloneAuthority, issueCertificate, openAuthority } from '@nova-platform/pki';
import { handlersOf } from './handlers.ts';
import { services } from './messages.ts';
import type { Provider } from './provider.ts';

const cookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';
/** Version 1 of the handshake, version 6 of the protocol of providers. */
const versions = '1|6';
const serving = 1;
const limit = 64 * 1024 * 1024;
const parentInterval = 500;

/** Serves the provider to OpenTofu, which started this process. Resolves when it is told to end. */
export async function serve<Client>(provider: Provider<Client>): Promise<void> {
  const { TF_PLUGIN_MAGIC_COOKIE, PLUGIN_CLIENT_CERT, PLUGIN_UNIX_SOCKET_DIR } = process.env;
  if (TF_PLUGIN_MAGIC_COOKIE !== cookie) {
    process.stderr.write('This is a provider for OpenTofu, which starts it. It is not a command.\n');
    process.exitCode = 1;
    return;
  }
  // OpenTofu has the same terminal: it decides what an interrupt means.
  process.on('SIGINT', () => undefined);

  const folder = await mkdtemp(join(PLUGIN_UNIX_SOCKET_DIR || tmpdir(), 'nova-ovirt-'));
  const socket = join(folder, 'provider');
  const ended = Promise.withResolvers<void>();
  const server = new Server({ 'grpc.max_receive_message_length': limit, 'grpc.max_send_message_length': limit });
  const methods = Object.entries(handlersOf(provider)).map(([name, handler]) => {
    const unary: handleUnaryCall<Parameters<typeof handler>[0], object> = ({ request }, respond) => {
      handler(request).then(
        (response) => respond(null, response),
        (error: Error) => respond({ code: status.INTERNAL, message: provider.redact(error.message) }),
      );
    };
    return [name, unary] as const;
  });
  server.addService(services.provider, Object.fromEntries(methods));
  addPluginServices(server, () => ended.resolve());

  const { credentials, certificate } = await credentialsFor(PLUGIN_CLIENT_CERT);
  await new Promise<void>((resolve, reject) =>
    server.bindAsync(`unix:${socket}`, credentials, (error) => (error ? reject(error) : resolve())),
  );
  process.stdout.write(`${[versions, 'unix', socket, 'grpc', certificate].join('|')}\n`);

  // OpenTofu may be killed: whatever it started must not go on without it.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && ended.resolve(), parentInterval);
  await ended.promise;
  clearInterval(watch);
  await provider.close();
  server.forceShutdown();
  await rm(folder, { recursive: true, force: true });
}

/** What every plugin serves besides its own service. */
function addPluginServices(server: Server, onShutdown: () => void): void {
  const unary = (definition: ServiceDefinition, name: string, handler: handleUnaryCall<unknown, object>) =>
    server.addService(definition, { [name]: handler });
  unary(services.health, 'Check', (_call, respond) => respond(null, { status: serving }));
  unary(services.controller, 'Shutdown', (_call, respond) => {
    respond(null, {});
    onShutdown();
  });
  // Nothing is written to these streams, and they stay open as long as the process.
  const open: handleServerStreamingCall<unknown, object> = () => undefined;
  server.addService(services.stdio, { StreamStdio: open });
  server.addService(services.broker, { StartStream: open });
}

/**
 * OpenTofu passes its certificate and accepts only the one it reads from the first line of output. Each process has new
 * keys.
 */
async function credentialsFor(client: string | undefined) {
  if (!client) return { credentials: ServerCredentials.createInsecure(), certificate: '' };
  const lifetimeHours = 7 * 24;
  const authority = await openAuthority(
    await createStandaloneAuthority({ subject: { commonName: 'provider', organizations: [] }, lifetimeHours }),
  );
  const { privateKey, publicKey } = await createKeyPair();
  const { certificate } = await issueCertificate(authority, {
    subject: { commonName: 'localhost', organizations: [] },
    publicKey,
    dnsNames: ['localhost'],
    addresses: [],
    usages: ['server auth'],
    lifetimeHours,
  });
  const pair = { private_key: Buffer.from(privateKey), cert_chain: Buffer.from(certificate) };
  const root = authority.certificate.replaceAll(/-----[^-]+-----|\s/g, '').replace(/=+$/, '');
  return { credentials: ServerCredentials.createSsl(Buffer.from(client), [pair], true), certificate: root };
}
