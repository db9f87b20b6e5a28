import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../private-files.ts'

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

const READ_CHUNK_BYTES = 1024 * 1024

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** Written to a temporary file, then renamed, so that a file is complete or absent. */
async function writeAtomically(
  path: string,
  fill: (draft: string) => Promise<void>,
  place: (draft: string, path: string) => Promise<void> = rename,
): Promise<void> {
  await mkdir(dirname(path), PRIVATE_FOLDER)
  const draft = `${path}.${randomUUID()}`
  try {
    await fill(draft)
    await place(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

/** Uses a hard link, which fails if the name exists, whereas a rename would overwrite it. */
async function linkOnce(draft: string, path: string): Promise<void> {
  await link(draft, path)
  await rm(draft)
}

const ignoreExisting = (error: NodeJS.ErrnoException) => {
  if (error.code === 'EEXIST') return false
  throw error
}

/** Temporary files end with a random identifier. */
const isDraft = (name: string) => /\.[0-9a-f-]{36}$/.test(name)

async function copyWhole(from: string, draft: string): Promise<void> {
  await copyFile(from, draft)
  const file = await open(draft, 'r+')
  await file.chmod(PRIVATE_FILE.mode)
  await file.sync().finally(() => file.close())
}

export const createFolderStore = (root: string): FileStore => ({
  put: async (key, content) =>
    writeAtomically(join(root, requireSafeKey(key)), (draft) =>
      writeFile(draft, content, { ...PRIVATE_FILE, flush: true }),
    ),
  putFile: async (key, path) => writeAtomically(join(root, requireSafeKey(key)), (draft) => copyWhole(path, draft)),
  add: async (key, content) =>
    writeAtomically(
      join(root, requireSafeKey(key)),
      (draft) => writeFile(draft, content, { ...PRIVATE_FILE, flush: true }),
      linkOnce,
    ).then(() => true, ignoreExisting),
  get: async (key) => readFile(join(root, requireSafeKey(key))).catch(ignoreMissing),
  async stream(key) {
    const file = await open(join(root, requireSafeKey(key))).catch(ignoreMissing)
    return file?.createReadStream({ highWaterMark: READ_CHUNK_BYTES })
  },
  remove: async (key) => rm(join(root, requireSafeKey(key)), { force: true }),
  async list(folder) {
    const entries = await readdir(join(root, requireSafeKey(folder)), { withFileTypes: true }).catch(ignoreMissing)
    const names = (entries ?? []).filter((entry) => entry.isFile() && !isDraft(entry.name)).map(({ name }) => name)
    return names.sort().map((name) => `${folder}/${name}`)
  },
})
