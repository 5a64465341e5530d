export { type BaseZone, novaDnsFiles } from './nova-dns.ts';
export { type ResolverOptions, resolverCorefile } from './resolver.ts';
