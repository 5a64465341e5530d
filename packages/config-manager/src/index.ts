export { type ConfigManager, type ConfigManagerOptions, startConfigManager } from './manager.ts';
