import { command } from '../../command.ts';
import type { OutputFlags } from '../../group.ts';
import { printable } from '../../outside.ts';
import { universeOf } from '../../universe.ts';

export type NodeLogsFlags = OutputFlags;

export const nodeLogs = command<NodeLogsFlags, [name: string]>(async function (_flags, name) {
  const { client } = universeOf(this.io);
  const { text } = await client.nodeConsole({ params: { name } });
  return { data: { node: name, text }, text: text.split('\n').map(printable).join('\n') };
});
