/** Kubernetes versions that this release can install, newest first. */
export const kubernetesVersions = ['1.36.3'] as const;
