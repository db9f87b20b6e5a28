import { randomUUID } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../private-files.ts'
import { checkedKey, type FileStore } from './files.ts'

const PIECE = 1024 * 1024

const unlessAbsent = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** Written beside, then renamed: a file is there whole or not at all. */
async function write(
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

/** A second name is refused where the first is taken, which a rename is not. */
async function placeOnce(draft: string, path: string): Promise<void> {
  await link(draft, path)
  await rm(draft)
}

const taken = (error: NodeJS.ErrnoException) => {
  if (error.code === 'EEXIST') return false
  throw error
}

/** Drafts end with an identifier of their own. */
const isDraft = (name: string) => /\.[0-9a-f-]{36}$/.test(name)

async function copyWhole(from: string, draft: string): Promise<void> {
  await copyFile(from, draft)
  const file = await open(draft, 'r+')
  await file.chmod(PRIVATE_FILE.mode)
  await file.sync().finally(() => file.close())
}

export const folderStore = (root: string): FileStore => ({
  put: async (key, content) =>
    write(join(root, checkedKey(key)), (draft) => writeFile(draft, content, { ...PRIVATE_FILE, flush: true })),
  putFile: async (key, path) => write(join(root, checkedKey(key)), (draft) => copyWhole(path, draft)),
  add: async (key, content) =>
    write(
      join(root, checkedKey(key)),
      (draft) => writeFile(draft, content, { ...PRIVATE_FILE, flush: true }),
      placeOnce,
    ).then(() => true, taken),
  get: async (key) => readFile(join(root, checkedKey(key))).catch(unlessAbsent),
  async stream(key) {
    const file = await open(join(root, checkedKey(key))).catch(unlessAbsent)
    return file?.createReadStream({ highWaterMark: PIECE })
  },
  remove: async (key) => rm(join(root, checkedKey(key)), { force: true }),
  async list(folder) {
    const entries = await readdir(join(root, checkedKey(folder)), { withFileTypes: true }).catch(unlessAbsent)
    const names = (entries ?? []).filter((entry) => entry.isFile() && !isDraft(entry.name)).map(({ name }) => name)
    return names.sort().map((name) => `${folder}/${name}`)
  },
})
