import {
  Divider,
  Dropdown,
  DropdownGroup,
  DropdownItem,
  DropdownList,
  MenuToggle,
  ToggleGroup,
  ToggleGroupItem,
} from '@patternfly/react-core';
import { DesktopIcon } from '@patternfly/react-icons/dist/esm/icons/desktop-icon.js';
import { MoonIcon } from '@patternfly/react-icons/dist/esm/icons/moon-icon.js';
import { SunIcon } from '@patternfly/react-icons/dist/esm/icons/sun-icon.js';
import { UserCircleIcon } from '@patternfly/react-icons/dist/esm/icons/user-circle-icon.js';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type Role, universe } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { type Text, useWords } from '../language.tsx';
import { useSession } from '../session.ts';
import { useTheme } from '../theme.ts';

const ChangePassword = lazy(async () => ({ default: (await import('./change-password.tsx')).ChangePassword }));

export const roleNames: Record<Role, Text> = {
  viewer: { en: 'viewer', ru: 'наблюдатель' },
  operator: { en: 'operator', ru: 'оператор' },
  admin: { en: 'administrator', ru: 'администратор' },
};

/** Language, theme, and who is logged in. */
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
  const { language, setLanguage, t } = useWords();
  return (
    <ToggleGroup isCompact aria-label={t({ en: 'Language', ru: 'Язык' })}>
      <ToggleGroupItem
        text="EN"
        aria-label="EN, English"
        isSelected={language === 'en'}
        onChange={() => setLanguage('en')}
      />
      <ToggleGroupItem
        text="RU"
        aria-label="RU, Русский"
        isSelected={language === 'ru'}
        onChange={() => setLanguage('ru')}
      />
    </ToggleGroup>
  );
}

export function ThemeChoice() {
  const { t } = useWords();
  const [theme, setTheme] = useTheme();
  return (
    <ToggleGroup isCompact aria-label={t({ en: 'Theme', ru: 'Тема' })}>
      <ToggleGroupItem
        icon={<SunIcon />}
        aria-label={t({ en: 'Light theme', ru: 'Светлая тема' })}
        isSelected={theme === 'light'}
        onChange={() => setTheme('light')}
      />
      <ToggleGroupItem
        icon={<MoonIcon />}
        aria-label={t({ en: 'Dark theme', ru: 'Тёмная тема' })}
        isSelected={theme === 'dark'}
        onChange={() => setTheme('dark')}
      />
      <ToggleGroupItem
        icon={<DesktopIcon />}
        aria-label={t({ en: 'Theme of the system', ru: 'Тема системы' })}
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
  const [isOpen, setIsOpen] = useState(false);
  const [isChanging, setIsChanging] = useState(false);
  const logOut = async () => {
    await universe.endSession({}).catch(() => undefined);
    client.setQueryData(keys.whoami, null);
    // Nothing of what this one saw is there for the next one.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.whoami[0] });
  };
  return (
    <>
      <Dropdown
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        onSelect={() => setIsOpen(false)}
        shouldFocusFirstItemOnOpen
        shouldFocusToggleOnSelect
        popperProps={{ position: 'right' }}
        toggle={(toggle) => (
          <MenuToggle ref={toggle} icon={<UserCircleIcon />} isExpanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {user}
          </MenuToggle>
        )}
      >
        <DropdownGroup label={`${t({ en: 'Role', ru: 'Роль' })}: ${t(roleNames[role])}`}>
          <DropdownList>
            <DropdownItem key="password" onClick={() => setIsChanging(true)}>
              {t({ en: 'Change the password', ru: 'Сменить пароль' })}
            </DropdownItem>
            <Divider key="line" />
            <DropdownItem key="logout" onClick={() => void logOut()}>
              {t({ en: 'Log out', ru: 'Выйти' })}
            </DropdownItem>
          </DropdownList>
        </DropdownGroup>
      </Dropdown>
      {isChanging && (
        <Suspense fallback={null}>
          <ChangePassword onClose={() => setIsChanging(false)} />
        </Suspense>
      )}
    </>
  );
}
