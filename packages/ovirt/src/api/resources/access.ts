import type { Identity } from '../identity.ts';
import { idOf } from '../ids.ts';
import { empty, type Fields, type Resource, reference } from '../resource.ts';

export const userId = (name: string): string => idOf('user', name);
const roleId = (role: string): string => idOf('role', role);

const roleNames = ['SuperUser', 'ReadOnlyAdmin'] as const;

export const roles: Resource<(typeof roleNames)[number], undefined> = {
  path: 'roles',
  element: 'role',
  elements: 'roles',
  kind: { en: 'role', ru: 'роль' },
  id: roleId,
  list: async () => roleNames,
  show: (name) => ({
    name,
    description: name === 'SuperUser' ? 'Can do everything' : 'Can see everything',
    administrative: true,
    mutable: false,
  }),
  children: [empty('permits', 'permit', 'permits')],
};

export const users: Resource<Identity, undefined> = {
  path: 'users',
  element: 'user',
  elements: 'users',
  kind: { en: 'user', ru: 'пользователь' },
  id: ({ name }) => userId(name),
  list: (call) => call.parts.users(),
  show: ({ name }) => ({
    name: name.split('@')[0] ?? name,
    user_name: name,
    principal: name,
    namespace: '*',
    department: '',
    email: '',
    last_name: '',
  }),
  search: () => ({
    name: ({ name }) => name.split('@')[0],
    usrname: ({ name }) => name,
    id: ({ name }) => userId(name),
    domain: ({ name }) => name.split('@')[1],
  }),
  children: [
    empty('tags', 'tag', 'tags'),
    empty('roles', 'role', 'roles'),
    empty('permissions', 'permission', 'permissions'),
  ],
};

/** Every user has one role, for everything. */
export const permissions: Resource<Identity, unknown> = {
  path: 'permissions',
  element: 'permission',
  elements: 'permissions',
  kind: { en: 'permission', ru: 'разрешение' },
  id: ({ name, role }) => idOf('permission', name, role),
  list: (call) => call.parts.users(),
  show: ({ name, role }): Fields => ({
    role: reference('roles', roleId(role)),
    user: reference('users', userId(name)),
  }),
};
