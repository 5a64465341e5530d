export * from './requests.ts';
export type * from './views.ts';
