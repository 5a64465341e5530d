const types = { A: 1, AAAA: 28 };

/** A query in hexadecimal, as a resolver sends it. */
export function dnsQuery(
  name: string,
  { type = 'A', edns = false }: { type?: 'A' | 'AAAA'; edns?: boolean } = {},
): string {
  const header = Buffer.from([0x12, 0x34, 0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, edns ? 1 : 0]);
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  const question = Buffer.concat([...labels, Buffer.from([0, 0, types[type], 0, 1])]);
  // The same as dig: root name, type OPT, 1232 bytes of payload, no flags, a cookie.
  const cookie = [0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8];
  const opt = edns ? Buffer.from([0, 0, 41, 0x04, 0xd0, 0, 0, 0, 0, 0, cookie.length, ...cookie]) : Buffer.alloc(0);
  return Buffer.concat([header, question, opt]).toString('hex');
}

/** The response code and the addresses of a response. */
export function dnsAnswer(hexadecimal: string): { code: number; addresses: string[] } {
  const packet = Buffer.from(hexadecimal, 'hex');
  let offset = 12;
  const skipName = () => {
    while ((packet[offset] ?? 0) !== 0) {
      if ((packet[offset] ?? 0) >= 0xc0) {
        offset += 2;
        return;
      }
      offset += (packet[offset] ?? 0) + 1;
    }
    offset += 1;
  };
  skipName();
  offset += 4;
  const addresses: string[] = [];
  for (let index = 0; index < packet.readUInt16BE(6); index += 1) {
    skipName();
    const length = packet.readUInt16BE(offset + 8);
    if (packet.readUInt16BE(offset) === types.A)
      addresses.push([...packet.subarray(offset + 10, offset + 14)].join('.'));
    offset += 10 + length;
  }
  return { code: (packet[3] ?? 0) & 15, addresses };
}
