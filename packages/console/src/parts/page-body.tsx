import { PageSection } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import './page-body.css';

/** What a page shows below its head: one thing under the other, or as tiles. */
export function PageBody({ children, isTiled = false }: { children: ReactNode; isTiled?: boolean }) {
  return (
    <PageSection isFilled>
      <div className={isTiled ? 'nova-overview' : 'nova-stack'}>{children}</div>
    </PageSection>
  );
}
