import { stringify } from 'yaml';
import { modules } from '../../packages/api/src/modules.ts';

/** A release with every module; its images do not exist. */
export function releaseFiles(version: string): Record<string, string> {
  const digest = (name: string) => `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64)}`;
  const images = ['source-controller', 'kustomize-controller', 'traefik', 'coredns'].map((name) => ({
    name,
    component: name,
    version: '1.9.3',
    digest: digest(name),
  }));
  const imagesOf: Record<string, string[]> = { ingress: ['traefik'], 'nova-dns': ['coredns'] };
  return {
    'release.yaml': stringify({ version, images, flux: ['source-controller', 'kustomize-controller'] }),
    ...Object.fromEntries(
      modules.map(({ name, category, needs, description }) => [
        `modules/${name}/module.yaml`,
        stringify({ name, category, version: '1.0.0', needs, description, images: imagesOf[name] ?? [] }),
      ]),
    ),
  };
}
