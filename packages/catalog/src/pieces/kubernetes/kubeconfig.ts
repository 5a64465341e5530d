import { file, type Resource } from '../../resource.ts';
import { yaml } from '../text.ts';
import { authorityOf, certificateOf, folder, keyOf } from './paths.ts';

/** The kubeconfig of a program on the node. The program authenticates with the certificate of that name. */
export function kubeconfig(certificate: string, server: string): Resource {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster: { server, 'certificate-authority': authorityOf('kubernetes') } }],
    users: [
      {
        name: certificate,
        user: { 'client-certificate': certificateOf(certificate), 'client-key': keyOf(certificate) },
      },
    ],
    contexts: [{ name: 'cluster', context: { cluster: 'cluster', user: certificate } }],
    'current-context': 'cluster',
  };
  return file(kubeconfigPath(certificate), { content: yaml(config), mode: '0600' });
}

export function kubeconfigPath(certificate: string): string {
  return `${folder}/${certificate}.kubeconfig`;
}
