import { connect } from 'node:net';

/** Whether a server listens on the socket. A killed server leaves a socket that refuses connections. */
export function isAnswered(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
