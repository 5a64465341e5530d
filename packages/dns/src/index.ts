export { type ResolverOptions, resolverCorefile } from './resolver.ts';
