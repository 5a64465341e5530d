import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import type { Role } from './api/client.ts';
import { LiveProvider } from './api/live-provider.tsx';
import { createQueryClient, forgetUnused, whoamiQuery } from './api/queries.ts';
import { LanguageProvider, useWords } from './language.tsx';
import { Login } from './pages/login.tsx';
import { Overview } from './pages/overview/overview.tsx';
import { Loading, Nothing } from './parts/empty.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { PageLink } from './parts/link.tsx';
import { NotAllowed } from './parts/not-allowed.tsx';
import { onDemand } from './parts/on-demand.ts';
import { PageHead } from './parts/page-head.tsx';
import { SessionContext, useSession } from './session.ts';
import { Shell } from './shell/shell.tsx';
import './app.css';

// Every page except the first is loaded on demand.
const Clusters = onDemand(() => import('./pages/clusters.tsx'), 'Clusters');
const CreateCluster = onDemand(() => import('./pages/declare/create-cluster.tsx'), 'CreateCluster');
const EditCluster = onDemand(() => import('./pages/declare/edit-cluster.tsx'), 'EditCluster');
const ClusterPage = onDemand(() => import('./pages/cluster/cluster-page.tsx'), 'ClusterPage');
const Operations = onDemand(() => import('./pages/operations.tsx'), 'Operations');
const OperationPage = onDemand(() => import('./pages/operation.tsx'), 'OperationPage');
const Nodes = onDemand(() => import('./pages/nodes.tsx'), 'Nodes');
const NodePage = onDemand(() => import('./pages/node/node-page.tsx'), 'NodePage');
const Machines = onDemand(() => import('./pages/machines/machines.tsx'), 'Machines');
const CreateMachine = onDemand(() => import('./pages/machines/create-machine.tsx'), 'CreateMachine');
const MachinePage = onDemand(() => import('./pages/machines/machine-page.tsx'), 'MachinePage');
const HostPage = onDemand(() => import('./pages/host/host.tsx'), 'HostPage');
const Storage = onDemand(() => import('./pages/storage/storage.tsx'), 'Storage');
const Templates = onDemand(() => import('./pages/storage/templates.tsx'), 'Templates');
const Networks = onDemand(() => import('./pages/networks/networks.tsx'), 'Networks');
const NetworkPage = onDemand(() => import('./pages/networks/network-page.tsx'), 'NetworkPage');
const Registry = onDemand(() => import('./pages/registry.tsx'), 'Registry');
const Releases = onDemand(() => import('./pages/releases.tsx'), 'Releases');
const ReleasePage = onDemand(() => import('./pages/release.tsx'), 'ReleasePage');
const Users = onDemand(() => import('./pages/users.tsx'), 'Users');
const Tokens = onDemand(() => import('./pages/tokens.tsx'), 'Tokens');
const Audit = onDemand(() => import('./pages/audit.tsx'), 'Audit');

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <LanguageProvider>
        <ErrorBoundary place="" onRetry={() => forgetUnused(client)}>
          <Entrance />
        </ErrorBoundary>
      </LanguageProvider>
    </QueryClientProvider>
  );
}

/** Without a session every address shows the login page; after login, the requested page. */
function Entrance() {
  const { data: who, failureCount } = useQuery(whoamiQuery);
  const [location] = useLocation();
  const client = useQueryClient();
  const { t } = useWords();
  if (who === undefined) {
    return failureCount > 0 ? (
      <div className="nova-away">
        <Nothing title={t('shell.universeUnreachable')}>{t('shell.retrying')}</Nothing>
      </div>
    ) : null;
  }
  if (who === null) return <Login />;
  return (
    <SessionContext value={who}>
      <LiveProvider>
        <Shell>
          <ErrorBoundary place={location} onRetry={() => forgetUnused(client)}>
            <Suspense fallback={<Loading />}>
              <Pages />
            </Suspense>
          </ErrorBoundary>
        </Shell>
      </LiveProvider>
    </SessionContext>
  );
}

function Pages() {
  const { may } = useSession();
  const { t } = useWords();
  const allowed = (needs: Role, page: () => ReactNode) => (may(needs) ? page() : <NotAllowed needs={needs} />);
  return (
    <Switch>
      <Route path="/" component={Overview} />
      <Route path="/login">
        <Redirect to="/" replace />
      </Route>
      <Route path="/clusters" component={Clusters} />
      <Route path="/clusters/new">
        {allowed('operator', () => (
          <CreateCluster />
        ))}
      </Route>
      <Route path="/clusters/:name/edit">
        {({ name }) => allowed('operator', () => <EditCluster key={name} name={name} />)}
      </Route>
      <Route path="/clusters/:name/:tab?">
        {({ name, tab }) => <ClusterPage key={name} name={name} tab={tab ?? 'overview'} />}
      </Route>
      <Route path="/nodes" component={Nodes} />
      <Route path="/nodes/:name/:tab?">
        {({ name, tab }) => <NodePage key={name} name={name} tab={tab ?? 'overview'} />}
      </Route>
      <Route path="/machines" component={Machines} />
      <Route path="/machines/new">
        {allowed('admin', () => (
          <CreateMachine />
        ))}
      </Route>
      <Route path="/machines/:name/:tab?">
        {({ name, tab }) => <MachinePage key={name} name={name} tab={tab ?? 'overview'} />}
      </Route>
      <Route path="/host" component={HostPage} />
      <Route path="/storage" component={Storage} />
      <Route path="/templates" component={Templates} />
      <Route path="/networks" component={Networks} />
      <Route path="/networks/:name/:tab?">
        {({ name, tab }) => <NetworkPage key={name} name={name} tab={tab ?? 'topology'} />}
      </Route>
      <Route path="/operations" component={Operations} />
      <Route path="/operations/:id/:tab?">
        {({ id, tab }) => <OperationPage key={id} id={Number(id)} tab={tab ?? 'steps'} />}
      </Route>
      <Route path="/registry" component={Registry} />
      <Route path="/releases" component={Releases} />
      <Route path="/releases/:version">{({ version }) => <ReleasePage key={version} version={version} />}</Route>
      <Route path="/tokens" component={Tokens} />
      <Route path="/users">
        {allowed('admin', () => (
          <Users />
        ))}
      </Route>
      <Route path="/audit">
        {allowed('admin', () => (
          <Audit />
        ))}
      </Route>
      <Route>
        <PageHead title={t('shell.noSuchPage')} description={<PageLink to="/">{t('shell.toOverview')}</PageLink>} />
      </Route>
    </Switch>
  );
}
