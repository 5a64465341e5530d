import {
  Divider,
  DropdownGroup,
  DropdownItem,
  DropdownList,
  ToggleGroup,
  ToggleGroupItem,
} from '@patternfly/react-core';
import { DesktopIcon } from '@patternfly/react-icons/dist/esm/icons/desktop-icon.js';
import { MoonIcon } from '@patternfly/react-icons/dist/esm/icons/moon-icon.js';
import { SunIcon } from '@patternfly/react-icons/dist/esm/icons/sun-icon.js';
import { UserCircleIcon } from '@patternfly/react-icons/dist/esm/icons/user-circle-icon.js';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { universe } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { languageCodes, languages, useWords } from '../language.tsx';
import { Menu } from '../parts/menu.tsx';
import { onDemand } from '../parts/on-demand.ts';
import { roleNames } from '../parts/roles.ts';
import { useSession } from '../session.ts';
import { useTheme } from '../theme.ts';
import './preferences.css';

const ChangePassword = onDemand(() => import('./change-password.tsx'), 'ChangePassword');

/** Language, theme and user menu. */
export function Preferences() {
  return (
    <div className="nova-preferences">
      <LanguageChoice />
      <ThemeChoice />
      <UserMenu />
    </div>
  );
}

export function LanguageChoice() {
  const { code, setCode, t } = useWords();
  return (
    <ToggleGroup isCompact aria-label={t('shell.language')}>
      {languageCodes.map((each) => (
        <ToggleGroupItem
          key={each}
          text={each.toUpperCase()}
          aria-label={`${each.toUpperCase()}, ${languages[each].name}`}
          isSelected={code === each}
          onChange={() => setCode(each)}
        />
      ))}
    </ToggleGroup>
  );
}

export function ThemeChoice() {
  const { t } = useWords();
  const [theme, setTheme] = useTheme();
  return (
    <ToggleGroup isCompact aria-label={t('shell.theme')}>
      <ToggleGroupItem
        icon={<SunIcon />}
        aria-label={t('shell.lightTheme')}
        isSelected={theme === 'light'}
        onChange={() => setTheme('light')}
      />
      <ToggleGroupItem
        icon={<MoonIcon />}
        aria-label={t('shell.darkTheme')}
        isSelected={theme === 'dark'}
        onChange={() => setTheme('dark')}
      />
      <ToggleGroupItem
        icon={<DesktopIcon />}
        aria-label={t('shell.systemTheme')}
        isSelected={theme === 'system'}
        onChange={() => setTheme('system')}
      />
    </ToggleGroup>
  );
}

function UserMenu() {
  const { t } = useWords();
  const { user, role } = useSession();
  const client = useQueryClient();
  const [isChanging, setIsChanging] = useState(false);
  const logOut = async () => {
    await universe.endSession({}).catch(() => undefined);
    client.setQueryData(keys.whoami, null);
    // The next user must not see data of this one.
    sessionStorage.clear();
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.whoami[0] });
  };
  return (
    <>
      <Menu title={user} icon={<UserCircleIcon />}>
        <DropdownGroup label={`${t('common.role')}: ${t(roleNames[role])}`}>
          <DropdownList>
            <DropdownItem key="password" onClick={() => setIsChanging(true)}>
              {t('common.changePassword')}
            </DropdownItem>
            <Divider key="line" />
            <DropdownItem key="logout" onClick={() => void logOut()}>
              {t('shell.logOut')}
            </DropdownItem>
          </DropdownList>
        </DropdownGroup>
      </Menu>
      {isChanging && (
        <Suspense fallback={null}>
          <ChangePassword onClose={() => setIsChanging(false)} />
        </Suspense>
      )}
    </>
  );
}
