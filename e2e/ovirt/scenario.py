"""What an administrator does with the Python SDK, from the connection to the deletion. Arguments: URL, CA file, password."""

import sys
import time

import ovirtsdk4 as sdk
from ovirtsdk4 import types

url, authority, password = sys.argv[1:]
connection = sdk.Connection(
    url=url, username='admin@internal', password=password, ca_file=authority, timeout=60)
system = connection.system_service()


def until(what, read, timeout=60):
    """Polls as the SDK's examples do."""
    end = time.time() + timeout
    while time.time() < end:
        value = read()
        if value:
            return value
        time.sleep(0.1)
    raise Exception('%s did not happen in time' % what)


def refused(what, text, action):
    try:
        action()
    except sdk.Error as error:
        assert text in str(error), (what, str(error))
        return error
    raise Exception('%s was not refused' % what)


# Connect and look around.
api = system.get()
assert api.product_info.version.major == 4
assert connection.test(raise_exception=True)
blank = '00000000-0000-0000-0000-000000000000'
assert api.special_objects.blank_template.id == blank
templates = system.templates_service().list()
assert blank in [each.id for each in templates]
[template] = system.templates_service().list(search='name=node and datacenter=Default')
assert template.cpu.topology.cores == 1 and template.status == types.TemplateStatus.OK
[cluster] = system.clusters_service().list(search='name=Default')
assert connection.follow_link(cluster.data_center).name == 'Default'
[host] = system.hosts_service().list()
assert host.status == types.HostStatus.UP and host.cluster.id == cluster.id
[domain] = system.storage_domains_service().list(search='name="local"')
assert domain.status == types.StorageDomainStatus.ACTIVE and domain.available > 0
[profile] = [each for each in system.vnic_profiles_service().list() if each.name == 'lab']
assert connection.follow_link(profile.network).name == 'lab'
for each in [
    system.operating_systems_service(), system.instance_types_service(), system.users_service(),
    system.roles_service(), system.permissions_service(), system.jobs_service(), system.events_service(),
    system.tags_service(), system.networks_service(), system.disks_service(), system.data_centers_service(),
]:
    each.list()

# Create from a template with cloud-init.
vms = system.vms_service()
vm = vms.add(
    types.Vm(
        name='sdk1',
        comment='made by the SDK',
        description='a test',
        cluster=types.Cluster(name='Default'),
        template=types.Template(name='node'),
        memory=512 * 2**20,
        cpu=types.Cpu(topology=types.CpuTopology(cores=2, sockets=1, threads=1)),
        os=types.OperatingSystem(type='other_linux'),
        initialization=types.Initialization(
            host_name='sdk1',
            user_name='admin',
            authorized_ssh_keys='ssh-ed25519 AAAA admin',
            custom_script='write_files:\n  - path: /etc/motd\n    content: "a < b & c"\n',
            nic_configurations=[
                types.NicConfiguration(
                    name='eth0',
                    on_boot=True,
                    boot_protocol=types.BootProtocol.STATIC,
                    ip=types.Ip(address='10.30.0.50', netmask='255.255.255.0', gateway='10.30.0.1'),
                )
            ],
        ),
    )
)
service = vms.vm_service(vm.id)
until('the VM is created', lambda: service.get().status == types.VmStatus.DOWN)
vm = service.get()
assert (vm.name, vm.comment, vm.description) == ('sdk1', 'made by the SDK', 'a test')
assert vm.memory == 512 * 2**20 and vm.cpu.topology.cores == 2 and vm.os.type == 'other_linux'
assert [each.id for each in vms.list(search='name=sdk* and status=down')] == [vm.id]
assert vms.list(search='name=other') == []
refused('a second VM with its name', 'NOVA7021', lambda: vms.add(
    types.Vm(name='sdk1', cluster=types.Cluster(name='Default'), template=types.Template(name='node'))))

# A NIC; a second one does not fit.
nics = service.nics_service()
nic = nics.add(types.Nic(name='nic1', vnic_profile=types.VnicProfile(id=profile.id)))
assert nic.mac.address and nics.nic_service(nic.id).get().name == 'nic1'
refused('a second NIC', 'one NIC', lambda: nics.add(
    types.Nic(name='nic2', vnic_profile=types.VnicProfile(id=profile.id))))

# Start it, and wait for the address.
service.start()
until('the VM is up', lambda: service.get().status == types.VmStatus.UP)
[device] = until('the VM has an address', lambda: service.reported_devices_service().list())
assert device.ips[0].address == '10.30.0.50', device.ips[0].address
refused('a second start', 'NOVA7612', service.start)

# Snapshot while it runs.
snapshots = service.snapshots_service()
snapshot = snapshots.add(types.Snapshot(description='before the change', persist_memorystate=False))
until('the snapshot is ready', lambda: snapshots.snapshot_service(snapshot.id).get().snapshot_status == types.SnapshotStatus.OK)
assert [each.snapshot_type for each in snapshots.list()] == [types.SnapshotType.ACTIVE, types.SnapshotType.REGULAR]

# Hot-plug a disk, extend it.
attachments = service.disk_attachments_service()
attachment = attachments.add(
    types.DiskAttachment(
        disk=types.Disk(
            name='sdk-data',
            format=types.DiskFormat.COW,
            provisioned_size=2**30,
            storage_domains=[types.StorageDomain(name='local')],
        ),
        interface=types.DiskInterface.VIRTIO,
        bootable=False,
        active=True,
    )
)
disk_service = system.disks_service().disk_service(attachment.disk.id)
until('the disk is ready', lambda: disk_service.get().status == types.DiskStatus.OK)
assert len(attachments.list()) == 2
attachments.attachment_service(attachment.id).update(
    types.DiskAttachment(disk=types.Disk(provisioned_size=2 * 2**30)))
assert disk_service.get().provisioned_size == 2 * 2**30

# A disk of its own; its job is found by the correlation ID.
disk = system.disks_service().add(
    types.Disk(name='sdk-more', format=types.DiskFormat.RAW, provisioned_size=2**30,
               storage_domains=[types.StorageDomain(id=domain.id)]),
    query={'correlation_id': 'sdk-disk'})
until('the job ends', lambda: all(
    job.status == types.JobStatus.FINISHED for job in system.jobs_service().list(search='correlation_id=sdk-disk')))
assert system.jobs_service().list(search='correlation_id=sdk-disk')
attachments.add(types.DiskAttachment(
    disk=types.Disk(id=disk.id), interface=types.DiskInterface.VIRTIO, active=True, bootable=False))
attachments.attachment_service(disk.id).remove()
system.disks_service().disk_service(disk.id).remove()

# Tags.
tag = system.tags_service().add(types.Tag(name='web'))
service.tags_service().add(types.Tag(name='web'))
assert [each.id for each in vms.list(search='tag=web')] == [vm.id]
service.tags_service().tag_service(tag.id).remove()
system.tags_service().tag_service(tag.id).remove()

# Affinity groups.
groups = system.clusters_service().cluster_service(cluster.id).affinity_groups_service()
group = groups.add(types.AffinityGroup(name='together', positive=True, enforcing=True))
groups.group_service(group.id).vms_service().add(types.Vm(id=vm.id))
refused('an enforcing separation', 'more than one host', lambda: groups.add(
    types.AffinityGroup(name='apart', positive=False, enforcing=True)))
groups.group_service(group.id).remove()

# Update.
service.update(types.Vm(comment='changed', memory=2**30))
assert service.get().comment == 'changed' and service.get().memory == 2**30

# Stop, restore both ways.
service.stop()
until('the VM is down', lambda: service.get().status == types.VmStatus.DOWN)
snapshots.snapshot_service(snapshot.id).restore()
service.preview_snapshot(snapshot=types.Snapshot(id=snapshot.id), restore_memory=False)
assert snapshots.snapshot_service(snapshot.id).get().snapshot_status == types.SnapshotStatus.IN_PREVIEW
service.undo_snapshot()
assert snapshots.snapshot_service(snapshot.id).get().snapshot_status == types.SnapshotStatus.OK
snapshots.snapshot_service(snapshot.id).remove()
until('the snapshot is gone', lambda: len(snapshots.list()) == 1)

# A template of it, and a clone.
own = system.templates_service().add(types.Template(name='sdk-template', vm=types.Vm(id=vm.id)))
until('the template is ready', lambda: system.templates_service().template_service(own.id).get().status == types.TemplateStatus.OK)
service.clone(vm=types.Vm(name='sdk2'))
[clone] = until('the clone is created', lambda: vms.list(search='name=sdk2 and status=down'))
vms.vm_service(clone.id).remove()
system.templates_service().template_service(own.id).remove()

# Nested data at once, and pages.
[followed] = vms.list(search='name=sdk1', follow='nics,disk_attachments.disk')
assert [each.name for each in followed.nics] == ['nic1']
assert 'sdk-data' in [each.disk.name for each in followed.disk_attachments]
assert len(vms.list(search='sortby name page 1', max=1)) == 1

# Delete; the disk with data stays.
service.remove()
refused('the deleted VM', 'NOVA7605', service.get)
assert disk_service.get().name == 'sdk-data'
disk_service.remove()
assert 'VM sdk1 was removed' in [each.description.split(' (')[0] for each in system.events_service().list(search='vm.id=%s' % vm.id)]
connection.close()
print('done')
