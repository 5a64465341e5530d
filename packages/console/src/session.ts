import { createContext, useContext } from 'react';
import type { Role } from './api/client.ts';

interface Session {
  user: string;
  role: Role;
}

export const SessionContext = createContext<Session>({ user: '', role: 'viewer' });

const roles: readonly Role[] = ['viewer', 'operator', 'admin'];

/** The session and the permissions of its role; actions that the server would refuse are not offered. */
export function useSession(): Session & { may: (role: Role) => boolean } {
  const session = useContext(SessionContext);
  return { ...session, may: (role) => roles.indexOf(session.role) >= roles.indexOf(role) };
}
