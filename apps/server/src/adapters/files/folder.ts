import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../private-files.ts'
import { type FileStore, requireSafeKey } from './files.ts'

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
