export {
  type BuiltComponent,
  buildComponent,
  emptyGoCaches,
  findBuilt,
  type Progress,
  pruneComponents,
} from './build.ts';
export { cacheFolder } from './cache.ts';
export { type Component, type ComponentImage, chooseComponents, readComponents } from './component.ts';
export { findToolchain, type Toolchain } from './toolchain.ts';
