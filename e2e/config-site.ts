import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { StoredReport, Token } from '@nova-platform/contracts/config-manager/client';
import { novaCtl, root } from './nova-ctl.ts';

export interface EnrollingNode {
  name: string;
  address: string;
  image?: string;
}

/** A Configuration Manager that runs on this host, and machines in the network `config` that enrol with it. */
export function configSite(folder: string) {
  const data = join(folder, 'cm');
  const socket = join(folder, 'config.sock');
  const env = { NOVA_CONFIG_SOCKET: socket };
  let server: ChildProcess | undefined;

  async function done(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await novaCtl(args, { env });
    if (exitCode !== 0) throw new Error(`nova-ctl ${args.join(' ')} ends with ${exitCode}:\n${stderr}${stdout}`);
    return stdout;
  }
  const config = async <T>(...args: string[]) => JSON.parse(await done(...args, '-o', 'json')) as T;
  const reportsOf = (node: string) => config<StoredReport[]>('node', 'reports', node);

  return {
    env,
    data,
    config,
    reportsOf,
    lastReport: async (node: string) => (await reportsOf(node))[0],
    /** Starts the networks; machines reach the server at the host. */
    prepare: async (): Promise<void> => {
      await done('host', 'up');
      await done('network', 'create', 'config', '--cidr', '10.43.0.0/24');
      await done('host', 'open', '8140/tcp');
    },
    startServer: async (): Promise<void> => {
      const args = ['config', 'serve', '--data', data, '--listen', '0.0.0.0:8140', '--socket', socket];
      const child = spawn(join(root, 'nova-ctl'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
      server = child;
      await new Promise<void>((resolve, reject) => {
        child.stdout.once('data', () => resolve());
        let log = '';
        child.stderr.on('data', (chunk: Buffer) => {
          log += chunk.toString();
        });
        child.once('exit', () => reject(new Error(log)));
      });
    },
    stopServer: async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
      const child = server;
      server = undefined;
      if (!child || child.exitCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await gone;
    },
    /** Returns when the machine has booted, with its enrolment token. */
    createMachine: async ({ name, address, image = 'kubernetes-node' }: EnrollingNode): Promise<void> => {
      const file = join(folder, `${name}.yaml`);
      await config<Token>('config', 'token', 'create', '--node', name, '--ttl', '30m', '--cloud-config', file);
      const place = ['--image', image, '--network', 'config', '--address', address, '--memory', '1Gi'];
      await done('machine', 'create', name, ...place, '--cloud-config', file);
    },
  };
}
