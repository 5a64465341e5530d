import { PageSection } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import './page-body.css';

/** The content of a page below its head: stacked, or as tiles. */
export function PageBody({ children, isTiled = false }: { children: ReactNode; isTiled?: boolean }) {
  return (
    <PageSection isFilled>
      <div className={isTiled ? 'nova-overview' : 'nova-stack'}>{children}</div>
    </PageSection>
  );
}
