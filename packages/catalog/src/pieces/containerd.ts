import { coreImageOf } from '@nova-platform/plan';
import { type NodeInput, sharesKernel } from '../node.ts';
import { file, piece, type Resource, service } from '../resource.ts';
import { agentSsl } from './agent.ts';
import { proxyDropIn, secretFile } from './proxy-settings.ts';
import { lines } from './text.ts';
import { trustedRoot } from './trusted-authorities.ts';
import { running, startedAtBoot, unitFolder, unitsRead } from './unit.ts';

/** Resources that need the container runtime depend on this resource. */
export const containerdService: Resource = service('containerd', { ensure: 'running' });

/** The container runtime, configured and running. Its binary is part of the machine image. */
export function containerd(input: NodeInput): Resource[] {
  const folders = ['/etc/containerd', '/etc/containerd/certs.d', '/etc/cni', '/etc/cni/net.d'].map((path) =>
    file(path, { ensure: 'directory', mode: '0755' }),
  );
  const config = file('/etc/containerd/config.toml', { content: configText(input), mode: '0644' });
  const unit = proxyUnit(input);
  return piece(
    'containerd',
    ...folders,
    config,
    ...registry(input),
    ...unit,
    startedAtBoot('containerd.service', { folder: '/usr/lib/systemd/system' }),
    running('containerd', { subscribe: [config, ...unit] }),
  );
}

function configText({ plan, facts, manager }: NodeInput): string {
  const isContainer = sharesKernel(facts);
  const cri = '[plugins."io.containerd.grpc.v1.cri"';
  return lines(
    'version = 2',
    `${cri}]`,
    `  sandbox_image = "${coreImageOf(plan, manager.registry, 'pause')}"`,
    // An unprivileged machine cannot lower the OOM score of a container: the container would not start.
    isContainer && '  restrict_oom_score_adj = true',
    `${cri}.cni]`,
    '  bin_dir = "/usr/lib/cni"',
    '  conf_dir = "/etc/cni/net.d"',
    `${cri}.registry]`,
    '  config_path = "/etc/containerd/certs.d"',
    `${cri}.containerd.runtimes.runc]`,
    '  runtime_type = "io.containerd.runc.v2"',
    // A machine must not pass on the devices of a kernel that it shares.
    isContainer && '  privileged_without_host_devices = true',
    `${cri}.containerd.runtimes.runc.options]`,
    `  SystemdCgroup = ${!isContainer}`,
  );
}

/** Images come only from the platform's registry, which authenticates nodes by their identity. */
function registry({ node, manager }: NodeInput): Resource[] {
  const folder = `/etc/containerd/certs.d/${manager.registry}`;
  const url = `https://${manager.registry}`;
  const identity = (kind: string) => `${agentSsl}/${kind}/${node.name}.pem`;
  return [
    file(folder, { ensure: 'directory', mode: '0755' }),
    file(`${folder}/hosts.toml`, {
      content: lines(
        // The certificate is for the server itself: containerd would try the server after a host of [host], without the
        // certificate, and report only the last failure.
        `server = "${url}"`,
        'capabilities = ["pull", "resolve"]',
        `ca = "${trustedRoot}"`,
        `client = [["${identity('certs')}", "${identity('private_keys')}"]]`,
        // containerd 1.7 rejects a file without this section.
        '[host]',
      ),
      mode: '0644',
    }),
  ];
}

function proxyUnit(input: NodeInput): Resource[] {
  const folder = file(`${unitFolder}/containerd.service.d`, { ensure: 'directory', mode: '0755' });
  const path = `${unitFolder}/containerd.service.d/nova-proxy.conf`;
  return [folder, secretFile(path, proxyDropIn(input), { require: [folder], notify: [unitsRead] })];
}
