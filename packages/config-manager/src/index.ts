export { configHandlers } from './admin-api.ts';
export { configContract } from './contract.ts';
export { type ConfigManager, type ConfigManagerOptions, type Services, startConfigManager } from './manager.ts';
