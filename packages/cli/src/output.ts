/** Output formats of a result. */
export const outputs = ['text', 'json', 'yaml'] as const;
export type Output = (typeof outputs)[number];
