/** The array that a packed column holds. Read from the database a buffer may lie anywhere in memory: it is copied. */
export const unpackInts = (bytes: Uint8Array): Int32Array => new Int32Array(Uint8Array.from(bytes).buffer)

/** An instant given in minutes, as the API writes it. */
export const formatMinuteAsIso = (minute: number): string => new Date(minute * 60_000).toISOString()
