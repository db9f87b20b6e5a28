/** Stored with every result: it changes when the same input would give other figures. */
export const ENGINE_VERSION = '1.1.0'
