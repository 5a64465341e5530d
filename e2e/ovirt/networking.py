"""What a user of openstacksdk does with networks; the settings come from the environment."""

import openstack

cloud = openstack.connect(load_yaml_config=False, identity_api_version="2.0")
network = cloud.network.create_network(name="sdk-net")
subnet = cloud.network.create_subnet(
    network_id=network.id, name="sdk-subnet", cidr="10.69.0.0/24", ip_version=4
)
found = cloud.network.find_network("sdk-net")
assert found.id == network.id and found.subnet_ids == [subnet.id], found
print("created", found.name, subnet.name, subnet.cidr)

router = cloud.network.find_router("sdk-net-router")
added = cloud.network.add_interface_to_router(router, subnet_id=subnet.id)
assert [port.id for port in cloud.network.ports(device_id=router.id)] == [added["port_id"]]
print("router", router.name, "connects", cloud.network.get_subnet(added["subnet_id"]).name)

try:
    cloud.network.create_subnet(network_id=network.id, cidr="10.70.0.0/24", ip_version=4)
except openstack.exceptions.ConflictException as error:
    print("conflict:", error.details)

cloud.network.delete_subnet(subnet)
cloud.network.delete_network(network)
assert cloud.network.find_network("sdk-net") is None
print("deleted")
