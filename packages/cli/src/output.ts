/** Forms in which a result can be asked for. */
export const outputs = ['text', 'json', 'yaml'] as const;
export type Output = (typeof outputs)[number];
