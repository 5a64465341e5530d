interface Access {
  server: string;
  authority: string;
  certificate: string;
  key: string;
  user: string;
}

/** A kubeconfig in the same format as nova-ctl writes it. */
export function kubeconfigText(cluster: string, { server, authority, certificate, key, user }: Access): string {
  const name = `${user}@${cluster}`;
  return `apiVersion: v1
kind: Config
clusters:
  - name: ${cluster}
    cluster:
      server: ${server}
      certificate-authority-data: ${btoa(authority)}
users:
  - name: ${name}
    user:
      client-certificate-data: ${btoa(certificate)}
      client-key-data: ${btoa(key)}
contexts:
  - name: ${cluster}
    context:
      cluster: ${cluster}
      user: ${name}
current-context: ${cluster}
`;
}
