const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]') as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
];

/**
 * Splits a stream of JSON objects without separators, as OVSDB sends them. `push` returns the objects that are
 * complete. It works on bytes: all delimiters are ASCII and cannot be part of a multi-byte character.
 */
export class JsonStream {
  #chunks: Buffer[] = [];
  #depth = 0;
  #inString = false;
  #escaped = false;

  push(chunk: Buffer): unknown[] {
    const messages: unknown[] = [];
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      if (!this.#closes(chunk[index])) continue;
      this.#chunks.push(chunk.subarray(start, index + 1));
      start = index + 1;
      const text = Buffer.concat(this.#chunks).toString('utf8');
      this.#chunks = [];
      messages.push(JSON.parse(text));
    }
    if (start < chunk.length) this.#chunks.push(chunk.subarray(start));
    return messages;
  }

  /** Whether this byte ends a top-level value. */
  #closes(byte: number | undefined): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) this.#inString = false;
      return false;
    }
    if (byte === quote) this.#inString = true;
    else if (byte === openBrace || byte === openBracket) this.#depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      this.#depth -= 1;
      return this.#depth === 0;
    }
    return false;
  }
}
