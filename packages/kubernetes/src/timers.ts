const duration = String.raw`(?:\d+(?:\.\d+)?(?:ms|µs|h|m|s))+`;
const age = new RegExp(String.raw`\b${duration} ago\b`, 'g');
const backOff = new RegExp(String.raw`\b(back-off) ${duration}`, 'gi');

/** A message without running timers. With them, every observation would make a new finding. */
export function withoutTimers(message: string): string {
  return message
    .replace(age, 'some time ago')
    .replace(backOff, '$1')
    .replace(/(\d)\.\d+(m?s)\b/g, '$1$2');
}
