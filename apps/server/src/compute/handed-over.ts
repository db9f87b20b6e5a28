/**
 * A copy of the bytes, to be transferred to a thread. The caller's own bytes are needed again if its transaction is
 * retried; transferred, they would be empty by then.
 */
export const copyForTransfer = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
