import { dataSources } from './data/sources.ts';
import { defaultTimeouts, Engine, type Timeouts } from './engine/engine.ts';
import type { Provider } from './protocol/provider.ts';
import { affinityGroup, vmAffinityGroup } from './resources/affinity-group.ts';
import { disk } from './resources/disk.ts';
import { diskAttachment } from './resources/disk-attachment.ts';
import { diskAttachments } from './resources/disk-attachments.ts';
import { diskResize, vmDisksResize } from './resources/disk-resize.ts';
import { nic } from './resources/nic.ts';
import { tag, vmTag } from './resources/tag.ts';
import { vm } from './resources/vm.ts';
import { vmStart } from './resources/vm-start.ts';
import { checkSettings, settingsBlock, settingsOf } from './settings.ts';

/** The provider for oVirt and zVirt. */
export function createProvider(timeouts: Timeouts = defaultTimeouts): Provider<Engine> {
  let engine: Engine | undefined;
  return {
    block: settingsBlock,
    check: checkSettings,
    resources: {
      ovirt_affinity_group: affinityGroup,
      ovirt_disk: disk,
      ovirt_disk_attachment: diskAttachment,
      ovirt_disk_attachments: diskAttachments,
      ovirt_disk_resize: diskResize,
      ovirt_nic: nic,
      ovirt_tag: tag,
      ovirt_vm: vm,
      ovirt_vm_affinity_group: vmAffinityGroup,
      ovirt_vm_disks_resize: vmDisksResize,
      ovirt_vm_start: vmStart,
      ovirt_vm_tag: vmTag,
    },
    dataSources,
    configure: async (config, signal) => {
      const settings = await settingsOf(config);
      if (!settings) return undefined;
      engine = new Engine({ ...settings, signal, timeouts });
      await engine.connect();
      return engine;
    },
    redact: (text) => engine?.redact(text) ?? text,
    close: async () => engine?.close(),
  };
}
