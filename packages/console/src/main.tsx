import '@patternfly/react-core/dist/styles/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { applyTheme, chosenTheme } from './theme.ts';

// Zod would compile checks with eval, which our content security policy forbids.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
applyTheme(chosenTheme());
const root = document.getElementById('root');
if (root)
  createRoot(root, {
    // A boundary shows the error; bug reports need the component stack as well.
    onCaughtError: (error, { componentStack }) => console.error(error, componentStack),
  }).render(<App />);
