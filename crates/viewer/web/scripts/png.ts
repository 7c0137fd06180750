// Pictures as PNG files.

import { deflateSync } from "node:zlib";

/** Pixels of three bytes each, as a file. */
export function png(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++) {
    const to = y * (1 + 3 * width);
    // Filter 2: differences to the row above.
    rows[to] = 2;
    for (let k = 0; k < 3 * width; k++) {
      const above = y === 0 ? 0 : pixels[(y - 1) * 3 * width + k];
      rows[to + 1 + k] = (pixels[y * 3 * width + k] - above) & 0xff;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(name: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  }
  return value;
});

function crc32(bytes: Uint8Array): number {
  return ~bytes.reduce((sum, byte) => TABLE[(sum ^ byte) & 0xff] ^ (sum >>> 8), ~0) >>> 0;
}
