import { connect } from 'node:net';

/** Whether somebody answers at a socket. One that a killed server left behind is nobody's. */
export function isAnswered(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath, () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
