export const plan = {
  disk: 'диск',
  pods: 'поды',
  gateway: 'шлюз',
  published: 'опубликован',
  networkExists: 'уже существует',
  podsAndServices: 'Поды и службы',
  dnsInternal: 'обслуживает Nova DNS',
  dnsExternal: 'обслуживают ваши серверы',
  needs: 'зависит от',
};
