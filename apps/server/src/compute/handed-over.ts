/** Bytes that can be given away to a thread: themselves where they own their memory, otherwise a copy. A small Buffer is a window on memory that other requests share. */
export const handedOver = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const { buffer, byteLength } = bytes
  const own = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  return own ? new Uint8Array(buffer) : new Uint8Array(bytes)
}
