// Drops what a browser does not need from a WebAssembly module: custom sections, such as names and lines for debuggers.

/** The module without custom sections. */
export function withoutCustomSections(bytes) {
  const kept = [bytes.subarray(0, 8)];
  let at = 8;
  while (at < bytes.length) {
    const [length, content] = unsigned(bytes, at + 1);
    const end = content + length;
    if (bytes[at] !== 0) {
      kept.push(bytes.subarray(at, end));
    }
    at = end;
  }
  return Buffer.concat(kept);
}

/** A number in LEB128, and where it ends. */
function unsigned(bytes, at) {
  let [value, scale] = [0, 1];
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte < 0x80) {
      return [value, at];
    }
  }
}
