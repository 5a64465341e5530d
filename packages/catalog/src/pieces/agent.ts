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
  whenServicesScript,
} from '../node-scripts.ts';
import { file, piece, type Resource, service } from '../resource.ts';
import { lines } from './text.ts';
import { unitFolder, unitsRead } from './unit.ts';

/** Seconds between periodic runs, which repair drift. */
const interval = 1800;

/** The agent's folder for the node's identity. */
export const agentSsl = '/var/lib/puppet/ssl';

interface AgentFile {
  path: string;
  content: string;
  mode: string;
}

/**
 * The files that make a machine request its catalog from the Configuration Manager. cloud-init writes them first, then
 * the catalog manages them.
 */
export function agentFiles(node: string, manager: Manager): AgentFile[] {
  return [
    { path: '/etc/puppet/puppet.conf', content: puppetConfig(node, manager), mode: '0644' },
    // This fact takes more than half of the time of all facts, and nothing uses it.
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
    { path: `${scriptFolder}/when-services`, content: whenServicesScript, mode: '0755' },
    { path: `${scriptFolder}/encryption-configuration`, content: encryptionScript, mode: '0755' },
    { path: `${unitFolder}/nova-agent.service`, content: unit, mode: '0644' },
    // Starts the agent without a symlink, which cloud-init cannot write.
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
    // Never restarted: a restart would end the current run. The script picks up its own changes.
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
    // Half the default length: generated in a tenth of the time, and still secure for decades.
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
  // Programs that the agent starts must outlive it.
  'KillMode=process',
);
