/** How many times longer work takes in a VM whose processors QEMU emulates, because its host has no KVM. */
export const emulationSlowdown = 20;
