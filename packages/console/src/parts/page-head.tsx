import { Breadcrumb, BreadcrumbItem, PageSection, Title } from '@patternfly/react-core';
import { type ReactNode, useEffect } from 'react';
import { useWords } from '../language.tsx';
import { PageLink } from './link.tsx';
import './page-head.css';

interface PageHeadProps {
  title: string;
  /** The open view, for the window title. */
  view?: string | undefined;
  /** The state, shown next to the title. */
  state?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** Parent pages. */
  above?: readonly { title: string; to: string }[];
}

export function PageHead({ title, view, state, description, actions, above = [] }: PageHeadProps) {
  const { t } = useWords();
  useEffect(() => {
    document.title = [...(view === undefined ? [] : [view]), title, 'Nova'].join(' · ');
  }, [title, view]);
  return (
    <PageSection className="nova-head">
      {above.length > 0 && (
        <Breadcrumb aria-label={t('common.breadcrumb')} className="nova-breadcrumb">
          {above.map(({ title: name, to }) => (
            <BreadcrumbItem key={to}>
              <PageLink to={to}>{name}</PageLink>
            </BreadcrumbItem>
          ))}
          <BreadcrumbItem isActive>{title}</BreadcrumbItem>
        </Breadcrumb>
      )}
      <div className="nova-head-line">
        <div className="nova-head-title">
          <Title headingLevel="h1" size="2xl">
            {title}
          </Title>
          {state}
        </div>
        {actions !== undefined && <div className="nova-head-actions">{actions}</div>}
      </div>
      {description !== undefined && <p className="nova-head-description">{description}</p>}
    </PageSection>
  );
}
