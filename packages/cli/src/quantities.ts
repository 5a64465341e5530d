import { formats, formatted, mebibytesOf, quantityText } from '@nova-platform/api';
import type { Context } from './context.ts';
import { badValue } from './failure.ts';

/** The value of an option such as `--disk 20Gi`. */
export function mebibytes(flag: string, quantity: string): number {
  if (!formatted('quantity').safeParse(quantity).success) throw badValue(flag, formats.quantity.expected);
  return mebibytesOf(quantity);
}

export function mebibytesText({ t }: Context, mebibytes: number): string {
  return t(quantityText(`${mebibytes}Mi`));
}
