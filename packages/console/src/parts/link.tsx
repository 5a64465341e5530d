import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface PageLinkProps {
  to: string;
  children: ReactNode;
  className?: string;
  isCurrent?: boolean;
}

export function PageLink({ to, children, className = 'nova-link', isCurrent = false }: PageLinkProps) {
  return (
    <Link href={to} className={className} {...(isCurrent && { 'aria-current': 'page' as const })}>
      {children}
    </Link>
  );
}
