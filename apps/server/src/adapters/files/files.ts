/** Where uploaded and produced files are kept. Keys are ours (`company/sha256`), never a name given by a person. */
export type FileStore = {
  put(key: string, content: Uint8Array, mediaType: string): Promise<void>
  /** The same from a file of the machine, of any size. */
  putFile(key: string, path: string, mediaType: string): Promise<void>
  /** False, and nothing written, where there is one already: what is kept so is never overwritten. */
  add(key: string, content: Uint8Array, mediaType: string): Promise<boolean>
  get(key: string): Promise<Uint8Array | undefined>
  /** The content piece by piece, of any size. */
  stream(key: string): Promise<AsyncIterable<Uint8Array> | undefined>
  remove(key: string): Promise<void>
  /** The keys right below a folder, in their order. */
  list(folder: string): Promise<string[]>
}

/** A key that could lead out of the store is a mistake of ours: it stops here. */
export function requireSafeKey(key: string): string {
  if (!/^\w[\w.-]*(\/\w[\w.-]*)*$/.test(key)) throw new Error(`file store: bad key ${JSON.stringify(key)}`)
  return key
}
