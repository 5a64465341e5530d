export { addToMirror, type ProviderProgram, providerSource, providerVersion } from './mirror.ts';
