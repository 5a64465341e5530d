import { EmptyState, EmptyStateActions, EmptyStateBody, EmptyStateFooter, Skeleton } from '@patternfly/react-core';
import type { ComponentType, ReactNode } from 'react';
import { useWords } from '../language.tsx';
import './empty.css';

interface NothingProps {
  title: string;
  icon?: ComponentType;
  children?: ReactNode;
  action?: ReactNode;
}

export function Nothing({ title, icon, children, action }: NothingProps) {
  return (
    <EmptyState titleText={title} headingLevel="h2" {...(icon && { icon })} variant="sm">
      {children !== undefined && <EmptyStateBody>{children}</EmptyStateBody>}
      {action !== undefined && (
        <EmptyStateFooter>
          <EmptyStateActions>{action}</EmptyStateActions>
        </EmptyStateFooter>
      )}
    </EmptyState>
  );
}

/** A placeholder for content that is loading. */
export function Loading({ lines = 4 }: { lines?: number }) {
  const { t } = useWords();
  return (
    <div className="nova-loading" role="status">
      <span className="pf-v6-screen-reader">{t('common.loading')}</span>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholder lines have no identity.
        <Skeleton key={index} width={`${90 - index * 12}%`} />
      ))}
    </div>
  );
}
