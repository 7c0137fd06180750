// placeholder
export async function thumbnails(_: WebAssembly.Module): Promise<[string, Uint8Array][]> {
  return [];
}
