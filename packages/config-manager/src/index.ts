export { configHandlers } from './admin-api.ts';
export { type ConfigManager, type ConfigManagerOptions, type Services, startConfigManager } from './manager.ts';
export { type PlanSummary, summaryOf } from './plan-summary.ts';
