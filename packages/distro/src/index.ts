export {
  type BuiltComponent,
  buildComponent,
  emptyGoCaches,
  findBuilt,
  type Progress,
  pruneComponents,
} from './build.ts';
export { cacheFolder, pinOf } from './cache.ts';
export { type Component, type ComponentImage, chooseComponents, distroFolder, readComponents } from './component.ts';
export { findToolchain, type Toolchain } from './toolchain.ts';
