/**
 * Bytes that can be given away to a thread: always a copy. What a caller sent is needed again where its transaction gives way
 * to another and begins anew; given away, it would be empty by then.
 */
export const copyForTransfer = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
