import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkedKey, type FileStore } from './files.ts'

/** Written beside, then renamed: a file is there whole or not at all. */
export const folderStore = (root: string): FileStore => ({
  async put(key, content) {
    const path = join(root, checkedKey(key))
    await mkdir(dirname(path), { recursive: true })
    const draft = `${path}.${randomUUID()}`
    try {
      await writeFile(draft, content, { flush: true })
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw error
    }
  },
  get: async (key) =>
    readFile(join(root, checkedKey(key))).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    }),
  remove: async (key) => rm(join(root, checkedKey(key)), { force: true }),
})
