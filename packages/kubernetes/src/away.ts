/** Nobody answers at an address of a cluster, or not to the end. */
export class Away extends Error {}
