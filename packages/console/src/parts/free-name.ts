/** `vm-1`, or the next name that is not taken. */
export function freeName(start: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = `${start}-${number}`;
    if (!taken.includes(name)) return name;
  }
}
