export const plan = {
  disk: 'диск',
  pods: 'поды',
  gateway: 'шлюз',
  published: 'опубликован',
  networkExists: 'уже существует',
  podsAndServices: 'Поды и службы',
  dnsInternal: 'отвечает Nova DNS',
  dnsExternal: 'отвечают ваши серверы',
  needs: 'зависит от',
};
