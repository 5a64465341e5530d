import { Alert, Button } from '@patternfly/react-core';
import { Component, type ReactNode, useEffect } from 'react';
import { useWords } from '../language.tsx';
import { PageLink } from './link.tsx';
import { LoadError } from './on-demand.ts';
import { PageBody } from './page-body.tsx';
import { PageHead } from './page-head.tsx';
import { alertLabel } from './problems.tsx';
import { reloadOnce } from './reload-once.ts';

interface ErrorBoundaryProps {
  /** A change of the place clears the error. */
  place: string;
  /** Called before a retry: clears the data that the page could not render. */
  onRetry: () => void;
  children: ReactNode;
}

/** Confines an error to its page: the rest of the console stays usable. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ place }: ErrorBoundaryProps) {
    if (place !== this.props.place && this.state.error !== undefined) this.#retry();
  }

  readonly #retry = () => {
    this.props.onRetry();
    this.setState({ error: undefined });
  };

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return error instanceof LoadError ? <NotLoaded /> : <Broken error={error} onRetry={this.#retry} />;
  }
}

function Broken({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useWords();
  return (
    <>
      <PageHead
        title={t('errors.pageBroken')}
        description={t('errors.pageBrokenHint')}
        actions={<Button onClick={onRetry}>{t('errors.retry')}</Button>}
      />
      <PageBody>
        <Alert variant="danger" isInline title={String(error)} {...alertLabel(t)} />
        <PageLink to="/">{t('errors.toOverview')}</PageLink>
      </PageBody>
    </>
  );
}

/** A failed import fails again until the page is reloaded. The first time, the page reloads itself. */
function NotLoaded() {
  const { t } = useWords();
  useEffect(() => reloadOnce(), []);
  return (
    <>
      <PageHead
        title={t('errors.chunkMissing')}
        description={t('errors.chunkMissingHint')}
        actions={<Button onClick={() => location.reload()}>{t('errors.reload')}</Button>}
      />
      <PageBody>
        <PageLink to="/">{t('errors.toOverview')}</PageLink>
      </PageBody>
    </>
  );
}
