/** Storage of uploaded and generated files. Keys are ours (`company/sha256`), never a name given by a user. */
export type FileStore = {
  put(key: string, content: Uint8Array, mediaType: string): Promise<void>
  /** The same from a local file, of any size. */
  putFile(key: string, path: string, mediaType: string): Promise<void>
  /** False, with nothing written, if the key exists already: a stored content is never overwritten. */
  add(key: string, content: Uint8Array, mediaType: string): Promise<boolean>
  get(key: string): Promise<Uint8Array | undefined>
  /** The content as a stream, of any size. */
  stream(key: string): Promise<AsyncIterable<Uint8Array> | undefined>
  remove(key: string): Promise<void>
  /** The keys directly below a folder, sorted. */
  list(folder: string): Promise<string[]>
}

/** A key that could lead out of the store is a bug of ours, stopped here. */
export function requireSafeKey(key: string): string {
  if (!/^\w[\w.-]*(\/\w[\w.-]*)*$/.test(key)) throw new Error(`file store: bad key ${JSON.stringify(key)}`)
  return key
}
