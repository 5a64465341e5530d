import { useEffect, useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const themeKey = 'nova.theme';
const darkClass = 'pf-v6-theme-dark';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

export function chosenTheme(): Theme {
  const chosen = localStorage.getItem(themeKey);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

export function applyTheme(theme: Theme): void {
  const isDark = theme === 'dark' || (theme === 'system' && prefersDark.matches);
  document.documentElement.classList.toggle(darkClass, isDark);
}

/** The theme and its setter; with the system theme, follows the system's changes. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(chosenTheme);
  useEffect(() => {
    localStorage.setItem(themeKey, theme);
    applyTheme(theme);
    const follow = () => applyTheme(theme);
    prefersDark.addEventListener('change', follow);
    return () => prefersDark.removeEventListener('change', follow);
  }, [theme]);
  return [theme, setTheme];
}
