import type { Role } from '../api/client.ts';
import type { PlainKey } from '../language.tsx';

export const roleNames: Record<Role, PlainKey> = {
  viewer: 'shell.roleViewer',
  operator: 'shell.roleOperator',
  admin: 'shell.roleAdmin',
};
