export { type Misaligned, misaligned } from './alignment.ts';
export {
  type BuiltComponent,
  buildComponent,
  buildInTurn,
  doingText,
  emptyGoCachesWhenBuilt,
  findBuilt,
  notBuilt,
  type Progress,
  pruneComponents,
} from './build.ts';
export { buildKey, cacheFolder, pinOf } from './cache.ts';
export { type Component, type ComponentImage, chooseComponents, distroFolder, readComponents } from './component.ts';
export { chooseToolchain, findToolchain, type Toolchain } from './toolchain.ts';
export { type ModuleChange, raiseModules, type Update, updateComponent } from './update.ts';
export { type Finding, type Verified, verifyComponents } from './verify.ts';
