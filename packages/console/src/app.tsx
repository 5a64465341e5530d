import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { LiveProvider } from './api/live-provider.tsx';
import { createQueryClient, whoamiQuery } from './api/queries.ts';
import { LanguageProvider, useWords } from './language.tsx';
import { Login } from './pages/login.tsx';
import { Overview } from './pages/overview.tsx';
import { Loading, Nothing } from './parts/empty.tsx';
import { PageLink } from './parts/link.tsx';
import { PageHead } from './parts/page-head.tsx';
import { SessionContext, useSession } from './session.ts';
import { Shell } from './shell/shell.tsx';

// Every page but the first is loaded when it is opened.
const Clusters = lazy(async () => ({ default: (await import('./pages/clusters.tsx')).Clusters }));
const CreateCluster = lazy(async () => ({
  default: (await import('./pages/declare/create-cluster.tsx')).CreateCluster,
}));
const EditCluster = lazy(async () => ({ default: (await import('./pages/declare/edit-cluster.tsx')).EditCluster }));
const ClusterPage = lazy(async () => ({ default: (await import('./pages/cluster/cluster-page.tsx')).ClusterPage }));
const Operations = lazy(async () => ({ default: (await import('./pages/operations.tsx')).Operations }));
const OperationPage = lazy(async () => ({ default: (await import('./pages/operation.tsx')).OperationPage }));
const Nodes = lazy(async () => ({ default: (await import('./pages/nodes.tsx')).Nodes }));
const NodePage = lazy(async () => ({ default: (await import('./pages/node/node-page.tsx')).NodePage }));
const Registry = lazy(async () => ({ default: (await import('./pages/registry.tsx')).Registry }));
const Releases = lazy(async () => ({ default: (await import('./pages/releases.tsx')).Releases }));
const ReleasePage = lazy(async () => ({ default: (await import('./pages/release.tsx')).ReleasePage }));
const Users = lazy(async () => ({ default: (await import('./pages/users.tsx')).Users }));
const Tokens = lazy(async () => ({ default: (await import('./pages/tokens.tsx')).Tokens }));
const Audit = lazy(async () => ({ default: (await import('./pages/audit.tsx')).Audit }));

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <LanguageProvider>
        <Entrance />
      </LanguageProvider>
    </QueryClientProvider>
  );
}

/** Who is not logged in sees the login page, whatever address was asked for; after it, what was asked for. */
function Entrance() {
  const { data: who, failureCount } = useQuery(whoamiQuery);
  const { t } = useWords();
  if (who === undefined) {
    return failureCount > 0 ? (
      <div className="nova-away">
        <Nothing title={t({ en: 'Universe does not answer', ru: 'Universe не отвечает' })}>
          {t({ en: 'Trying again until it does…', ru: 'Пробуем снова, пока не ответит…' })}
        </Nothing>
      </div>
    ) : null;
  }
  if (who === null) return <Login />;
  return (
    <SessionContext value={who}>
      <LiveProvider>
        <Shell>
          <Suspense fallback={<Loading />}>
            <Pages />
          </Suspense>
        </Shell>
      </LiveProvider>
    </SessionContext>
  );
}

function Pages() {
  const { may } = useSession();
  const { t } = useWords();
  return (
    <Switch>
      <Route path="/" component={Overview} />
      <Route path="/login">
        <Redirect to="/" replace />
      </Route>
      <Route path="/clusters" component={Clusters} />
      {may('operator') && <Route path="/clusters/new" component={CreateCluster} />}
      {may('operator') && (
        <Route path="/clusters/:name/edit">{({ name }) => <EditCluster key={name} name={name} />}</Route>
      )}
      <Route path="/clusters/:name/:tab?">
        {({ name, tab }) => <ClusterPage key={name} name={name} tab={tab ?? 'overview'} />}
      </Route>
      <Route path="/nodes" component={Nodes} />
      <Route path="/nodes/:name/:tab?">
        {({ name, tab }) => <NodePage key={name} name={name} tab={tab ?? 'overview'} />}
      </Route>
      <Route path="/operations" component={Operations} />
      <Route path="/operations/:id/:tab?">
        {({ id, tab }) => <OperationPage key={id} id={Number(id)} tab={tab ?? 'steps'} />}
      </Route>
      <Route path="/registry" component={Registry} />
      <Route path="/releases" component={Releases} />
      <Route path="/releases/:version">{({ version }) => <ReleasePage key={version} version={version} />}</Route>
      <Route path="/tokens" component={Tokens} />
      {may('admin') && <Route path="/users" component={Users} />}
      {may('admin') && <Route path="/audit" component={Audit} />}
      <Route>
        <PageHead
          title={t({ en: 'There is no such page', ru: 'Такой страницы нет' })}
          description={<PageLink to="/">{t({ en: 'To the overview', ru: 'К обзору' })}</PageLink>}
        />
      </Route>
    </Switch>
  );
}
