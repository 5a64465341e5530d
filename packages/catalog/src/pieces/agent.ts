import { bootScript, enrolScript } from '../boot-scripts.ts';
import type { Manager } from '../node.ts';
import {
  agentScript,
  certificateScript,
  certificatesScript,
  encryptionScript,
  identityScript,
  restartsScript,
  scriptFolder,
  settingsPath,
  sharedKeyScript,
  trustScript,
  whenApiScript,
} from '../node-scripts.ts';
import { file, piece, type Resource, service } from '../resource.ts';
import { lines } from './text.ts';
import { unitFolder, unitsRead } from './unit.ts';

/** Seconds between two runs that nobody asked for; they repair drift. */
const interval = 1800;

/** Where the agent keeps the node's identity. */
export const agentSsl = '/var/lib/puppet/ssl';

interface AgentFile {
  path: string;
  content: string;
  mode: string;
}

/** The files that make a machine ask the Configuration Manager what it should be: from cloud-init, then kept by the catalog. */
export function agentFiles(node: string, manager: Manager): AgentFile[] {
  return [
    { path: '/etc/puppet/puppet.conf', content: puppetConfig(node, manager), mode: '0644' },
    // More than half of the time that all facts take goes into this one, which nobody needs.
    { path: '/etc/facter/facter.conf', content: lines('facts : { blocklist : [ "augeas" ] }'), mode: '0644' },
    {
      path: settingsPath,
      content: lines(
        `server=https://${manager.name}:${manager.port}`,
        `name=${node}`,
        `ssl=${agentSsl}`,
        `fingerprint=${manager.fingerprint}`,
        `interval=${interval}`,
      ),
      mode: '0644',
    },
    { path: `${scriptFolder}/agent`, content: agentScript, mode: '0755' },
    { path: `${scriptFolder}/enrol`, content: enrolScript, mode: '0755' },
    { path: `${scriptFolder}/boot`, content: bootScript, mode: '0755' },
    { path: `${scriptFolder}/identity`, content: identityScript, mode: '0755' },
    { path: `${scriptFolder}/certificate`, content: certificateScript, mode: '0755' },
    { path: `${scriptFolder}/certificates`, content: certificatesScript, mode: '0755' },
    { path: `${scriptFolder}/shared-key`, content: sharedKeyScript, mode: '0755' },
    { path: `${scriptFolder}/restarts`, content: restartsScript, mode: '0755' },
    { path: `${scriptFolder}/trust`, content: trustScript, mode: '0755' },
    { path: `${scriptFolder}/when-api`, content: whenApiScript, mode: '0755' },
    { path: `${scriptFolder}/encryption-configuration`, content: encryptionScript, mode: '0755' },
    { path: `${unitFolder}/nova-agent.service`, content: unit, mode: '0644' },
    // Starts it without a link that cloud-init could not write.
    {
      path: `${unitFolder}/multi-user.target.d/nova-agent.conf`,
      content: lines('[Unit]', 'Wants=nova-agent.service'),
      mode: '0644',
    },
  ];
}

export function agent(node: string, manager: Manager): Resource[] {
  const folders = ['/etc/facter', '/etc/nova', scriptFolder, `${unitFolder}/multi-user.target.d`].map((path) =>
    file(path, { ensure: 'directory', mode: '0755' }),
  );
  const files = agentFiles(node, manager).map(({ path, content, mode }) =>
    file(path, { content, mode }, { notify: path.startsWith(unitFolder) ? [unitsRead] : [] }),
  );
  return piece(
    'agent',
    ...folders,
    ...files,
    // Never restarted: it would end the run it is in. The script takes up its own changes.
    service('nova-agent', { ensure: 'running' }, { require: [unitsRead] }),
  );
}

function puppetConfig(node: string, { name, port, fingerprint }: Manager): string {
  return lines(
    '[main]',
    `certname = ${node}`,
    `server = ${name}`,
    `serverport = ${port}`,
    `ca_fingerprint = ${fingerprint}`,
    'environment = production',
    // Half the bits, a tenth of the time to make it; still good for decades.
    'keylength = 2048',
    '[agent]',
    'usecacheonfailure = true',
    'report = true',
  );
}

const unit = lines(
  '[Unit]',
  'Description=Runs the configuration agent when it is asked to',
  'After=network-online.target',
  'Wants=network-online.target',
  '[Service]',
  `ExecStart=${scriptFolder}/agent`,
  'Restart=always',
  'RestartSec=5',
  // What the agent starts is not its own.
  'KillMode=process',
);
