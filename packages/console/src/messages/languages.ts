// The languages of the console, one line each, under the codes that browsers send.
export { en } from './en/index.ts';
export { ru } from './ru/index.ts';
