export const plan = {
  disk: 'disk',
  pods: 'pods',
  gateway: 'gateway',
  published: 'published',
  networkExists: 'exists already',
  podsAndServices: 'Pods and services',
  dnsInternal: 'served by Nova DNS',
  dnsExternal: 'served by your servers',
  needs: 'depends on',
} as const;
