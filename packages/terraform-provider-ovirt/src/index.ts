export { createProvider } from './provider.ts';
