/** The array in a packed column. A buffer from the database may be unaligned in memory, so it is copied. */
export const unpackInts = (bytes: Uint8Array): Int32Array => new Int32Array(Uint8Array.from(bytes).buffer)

/** Epoch minutes as an ISO 8601 instant. */
export const formatMinuteAsIso = (minute: number): string => new Date(minute * 60_000).toISOString()
