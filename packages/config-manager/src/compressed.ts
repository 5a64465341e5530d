import { gunzipSync, gzipSync } from 'node:zlib';

/** Texts as they are stored in the database. */
export const compress = (text: string): Buffer => gzipSync(text, { level: 4 });

export const expand = (bytes: Uint8Array): string => gunzipSync(bytes).toString();
