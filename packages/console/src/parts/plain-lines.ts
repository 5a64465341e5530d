/** The lines of a console's output, without terminal control sequences. */
export function plainLines(text: string): { key: number; text: string }[] {
  return text.split('\n').map((line, key) => ({ key, text: line.replace(/\p{Cc}\[[0-9;?]*[A-Za-z]|\p{Cc}/gu, '') }));
}
