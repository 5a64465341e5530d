export { createUniverse, type Universe, type UniverseConfig } from './universe.ts';
