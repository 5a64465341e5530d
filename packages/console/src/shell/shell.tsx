import {
  Masthead,
  MastheadBrand,
  MastheadContent,
  MastheadLogo,
  MastheadMain,
  MastheadToggle,
  Nav,
  NavGroup,
  NavItem,
  NavList,
  Page,
  PageSidebar,
  PageSidebarBody,
  PageToggleButton,
  SkipToContent,
} from '@patternfly/react-core';
import { BundleIcon } from '@patternfly/react-icons/dist/esm/icons/bundle-icon.js';
import { ClipboardListIcon } from '@patternfly/react-icons/dist/esm/icons/clipboard-list-icon.js';
import { ClusterIcon } from '@patternfly/react-icons/dist/esm/icons/cluster-icon.js';
import { CubesIcon } from '@patternfly/react-icons/dist/esm/icons/cubes-icon.js';
import { HistoryIcon } from '@patternfly/react-icons/dist/esm/icons/history-icon.js';
import { KeyIcon } from '@patternfly/react-icons/dist/esm/icons/key-icon.js';
import { LayerGroupIcon } from '@patternfly/react-icons/dist/esm/icons/layer-group-icon.js';
import { NetworkIcon } from '@patternfly/react-icons/dist/esm/icons/network-icon.js';
import { ServerGroupIcon } from '@patternfly/react-icons/dist/esm/icons/server-group-icon.js';
import { ServerIcon } from '@patternfly/react-icons/dist/esm/icons/server-icon.js';
import { StorageDomainIcon } from '@patternfly/react-icons/dist/esm/icons/storage-domain-icon.js';
import { TachometerAltIcon } from '@patternfly/react-icons/dist/esm/icons/tachometer-alt-icon.js';
import { UsersIcon } from '@patternfly/react-icons/dist/esm/icons/users-icon.js';
import { VirtualMachineIcon } from '@patternfly/react-icons/dist/esm/icons/virtual-machine-icon.js';
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Role } from '../api/client.ts';
import { useLive } from '../api/live-provider.tsx';
import { type PlainKey, useWords } from '../language.tsx';
import { useSession } from '../session.ts';
import { Logo } from './logo.tsx';
import { Preferences } from './preferences.tsx';
import './shell.css';

interface Entry {
  to: string;
  title: PlainKey;
  icon: ComponentType;
  needs?: Role;
}

const general: readonly Entry[] = [
  { to: '/', title: 'common.overview', icon: TachometerAltIcon },
  { to: '/operations', title: 'common.operations', icon: HistoryIcon },
];
const virtualization: readonly Entry[] = [
  { to: '/machines', title: 'machines.title', icon: VirtualMachineIcon },
  { to: '/host', title: 'host.title', icon: ServerIcon },
  { to: '/storage', title: 'storage.title', icon: StorageDomainIcon },
  { to: '/templates', title: 'storage.templates', icon: LayerGroupIcon },
  { to: '/networks', title: 'network.networks', icon: NetworkIcon },
];
const containers: readonly Entry[] = [
  { to: '/clusters', title: 'common.clusters', icon: ClusterIcon },
  { to: '/nodes', title: 'common.nodes', icon: ServerGroupIcon },
  { to: '/releases', title: 'common.releases', icon: BundleIcon },
  { to: '/registry', title: 'common.registry', icon: CubesIcon },
];
const access: readonly Entry[] = [
  { to: '/users', title: 'common.users', icon: UsersIcon, needs: 'admin' },
  { to: '/tokens', title: 'common.tokens', icon: KeyIcon },
  { to: '/audit', title: 'common.auditLog', icon: ClipboardListIcon, needs: 'admin' },
];
const narrow = 1200;
const contentId = 'content';

/** The frame of every page: navigation, preferences and the state of the connection. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useWords();
  const [location] = useLocation();
  const [isOpen, setIsOpen] = useState(() => innerWidth >= narrow);
  const page = location.split('/').slice(0, 3).join('/');
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    // A new page starts at the top, also for the keyboard focus; on narrow screens the menu closes.
    const content = document.getElementById(contentId);
    content?.focus();
    content?.scrollTo(0, 0);
    if (innerWidth < narrow) setIsOpen(false);
  }, [page]);
  const masthead = (
    <Masthead>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton
            isHamburgerButton
            aria-label={t('shell.menu')}
            isSidebarOpen={isOpen}
            onSidebarToggle={() => setIsOpen(!isOpen)}
          />
        </MastheadToggle>
        <MastheadBrand>
          <MastheadLogo component={(props) => <Link {...props} href="/" aria-label={t('shell.home')} />}>
            <Logo />
          </MastheadLogo>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <Preferences />
      </MastheadContent>
    </Masthead>
  );
  const sidebar = (
    <PageSidebar isSidebarOpen={isOpen}>
      <PageSidebarBody>
        <Nav aria-label={t('shell.pages')}>
          <NavList>
            <Entries entries={general} />
          </NavList>
          <NavGroup title={t('host.virtualization')}>
            <Entries entries={virtualization} />
          </NavGroup>
          <NavGroup title={t('shell.containers')}>
            <Entries entries={containers} />
          </NavGroup>
          <NavGroup title={t('shell.access')}>
            <Entries entries={access} />
          </NavGroup>
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  );
  return (
    <Page
      masthead={masthead}
      sidebar={sidebar}
      skipToContent={<SkipToContent href={`#${contentId}`}>{t('shell.skipToContent')}</SkipToContent>}
      mainContainerId={contentId}
      isContentFilled
    >
      <ConnectionNotice />
      {children}
    </Page>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const { t } = useWords();
  const { may } = useSession();
  const [location] = useLocation();
  return entries
    .filter(({ needs = 'viewer' }) => may(needs))
    .map(({ to, title, icon: Icon }) => {
      const isActive = to === '/' ? location === '/' : location === to || location.startsWith(`${to}/`);
      return (
        <NavItem key={to} isActive={isActive}>
          <Link href={to} {...(isActive && { 'aria-current': 'page' as const })}>
            <span className="nova-nav-icon">
              <Icon />
            </span>
            {t(title)}
          </Link>
        </NavItem>
      );
    });
}

/** A banner while the server is unreachable. */
function ConnectionNotice() {
  const { t } = useWords();
  const { isConnected } = useLive();
  return (
    <div role="status" className={isConnected ? undefined : 'nova-connection'}>
      {!isConnected && t('shell.connectionLost')}
    </div>
  );
}
