import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Health, Modules } from '@nova-platform/contracts/universe/client';
import { expect } from 'vitest';
import { type Kubectl, kubectlWith } from './kubectl.ts';
import { execute, novaCtl, type Outcome, temporaryFolder } from './nova-ctl.ts';

/** Test helpers for delivery, with a Universe of their own. */
export class DeliveryPlatform {
  readonly folder: ReturnType<typeof temporaryFolder> = temporaryFolder();
  readonly env: Record<string, string> = {
    HOME: this.folder.path,
    XDG_CONFIG_HOME: join(this.folder.path, '.config'),
    NOVA_CONTEXT: '',
  };

  ctl(args: readonly string[]): Promise<Outcome> {
    return novaCtl(args, { env: this.env });
  }

  async done(...args: string[]): Promise<string> {
    const outcome = await this.ctl(args);
    expect(outcome, args.join(' ')).toMatchObject({ exitCode: 0 });
    return outcome.stdout;
  }

  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.done(...args, '-o', 'json')) as T;
  }

  inside(machine: string, command: string): Promise<Outcome> {
    return this.ctl(['machine', 'exec', machine, '--', 'sh', '-c', command]);
  }

  async kubectl(cluster: string): Promise<Kubectl> {
    const place = join(this.folder.path, cluster);
    mkdirSync(place, { recursive: true });
    return kubectlWith(place, await this.done('kubeconfig', cluster, '--static'));
  }

  file(name: string, text: string): string {
    const path = join(this.folder.path, name);
    writeFileSync(path, text);
    return path;
  }

  /** `ingress ready`, one entry per module. */
  async modules(cluster: string): Promise<string[]> {
    const { modules } = await this.json<Modules>('module', 'list', cluster);
    return modules.map(({ name, state }) => `${name} ${state}`);
  }

  /** The external address of a node. */
  async published(cluster: string, node: string): Promise<string> {
    // The command fails while any problem exists.
    const { nodes } = JSON.parse((await this.ctl(['status', cluster, '-o', 'json'])).stdout) as Health;
    const { router } = await this.json<{
      router: { nat: { type: string; externalAddress: string; address: string }[] };
    }>('network', 'show', cluster);
    const address = nodes.find(({ name }) => name === node)?.address;
    const found = router.nat.find((each) => each.type === 'dnat' && each.address === address);
    if (!found) throw new Error(`${node} is not published`);
    return found.externalAddress;
  }

  /** The platform's CA certificate, as a file. */
  async authority(): Promise<string> {
    const { stdout } = await execute('curl', ['-sk', 'https://172.30.0.10/api/v1/authority']);
    return this.file('authority.pem', (JSON.parse(stdout) as { certificate: string }).certificate);
  }
}

export const nettest = 'hub.universe.nova.internal:5000/nova/nettest:1.0.0';

/** An application with a name under the base domain. */
export const application = (host: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: page }
spec:
  selector: { matchLabels: { app: page } }
  template:
    metadata: { labels: { app: page } }
    spec:
      containers:
        - name: page
          image: ${nettest}
          volumeMounts: [{ name: data, mountPath: /data }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: page } }]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: page }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 10Mi } } }
---
apiVersion: v1
kind: Service
metadata: { name: page }
spec: { selector: { app: page }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: page }
spec:
  tls: [{ hosts: [${host}] }]
  rules:
    - host: ${host}
      http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: page, port: { number: 80 } } } }] }
`;
