import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkedKey, type FileStore } from './files.ts'

const PIECE = 1024 * 1024

const unlessAbsent = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** Written beside, then renamed: a file is there whole or not at all. */
async function write(path: string, fill: (draft: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}`
  try {
    await fill(draft)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

async function copyWhole(from: string, draft: string): Promise<void> {
  await copyFile(from, draft)
  const file = await open(draft, 'r+')
  await file.sync().finally(() => file.close())
}

export const folderStore = (root: string): FileStore => ({
  put: async (key, content) =>
    write(join(root, checkedKey(key)), (draft) => writeFile(draft, content, { flush: true })),
  putFile: async (key, path) => write(join(root, checkedKey(key)), (draft) => copyWhole(path, draft)),
  get: async (key) => readFile(join(root, checkedKey(key))).catch(unlessAbsent),
  async stream(key) {
    const file = await open(join(root, checkedKey(key))).catch(unlessAbsent)
    return file?.createReadStream({ highWaterMark: PIECE })
  },
  remove: async (key) => rm(join(root, checkedKey(key)), { force: true }),
})
