/** The screen of a VM speaks RFB (VNC); the serial console is a terminal. */
export const consoleKinds = ['screen', 'serial'] as const;
export type ConsoleKind = (typeof consoleKinds)[number];

/** `GET` this path with `Upgrade: nova-console`: the connection becomes the bytes of the console. */
export const consoleProtocol = 'nova-console';
export const consolePath = (machine: string, kind: ConsoleKind): string =>
  `/v1/machines/${encodeURIComponent(machine)}/${kind}`;
