import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, type FileHandle, lstat, mkdir, open, rename, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { sharedFolderMode } from '../../../private-files.ts'
import { type OpenFolder, openFolder, throughHandle } from '../sync/sync.ts'
import type { FileRow } from './files.ts'

const TAKEN = 'traites'
const ASIDE = 'ecartes'
/** A file that still grows is left alone. */
const STILL_MS = 10_000

export type Deposit = { path: string; size: number; sha256: string }

/** What lies there under this name, held open: the file that is hashed is the one that is kept. Undefined while it may still grow. */
export async function withDeposit<T>(folder: OpenFolder, name: string, use: (found: Deposit) => Promise<T>) {
  const path = join(folder.at, name)
  // A link put there since it was seen is not followed; a pipe is not waited for.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { mtimeMs, ctimeMs, size, nlink } = await file.stat()
    if (Date.now() - Math.max(mtimeMs, ctimeMs) < STILL_MS || size === 0) return undefined
    if (nlink > 1) throw new LinkFound()
    return await use({ path: throughHandle(file.fd, path), size, sha256: await hashOf(file) })
  } finally {
    await file.close()
  }
}

/** The same content bears another name elsewhere, which may be somebody else's. */
export class LinkFound extends Error {}

async function hashOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  const pieces = file.createReadStream({ highWaterMark: 1024 * 1024, start: 0, autoClose: false })
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

export async function moveAway(folder: OpenFolder, name: string, row: FileRow): Promise<void> {
  const { status, reason, sha256 } = row
  if (status === 'waiting') return
  const target = await openBeside(folder, status === 'decoded' ? TAKEN : ASIDE)
  try {
    const free = await freeName(target.at, name, sha256)
    // Of two sweeps at once the one that moves it says why.
    await rename(join(folder.at, name), join(target.at, free))
    if (status === 'quarantined')
      await writeFile(join(target.at, reasonName(free)), `${reason}\n`, { flag: 'wx', mode: 0o640 })
  } finally {
    await target.close()
  }
}

async function openBeside(folder: OpenFolder, name: string): Promise<OpenFolder> {
  await mkdir(join(folder.at, name)).then(
    () => chmod(join(folder.at, name), sharedFolderMode()),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return openFolder(join(folder.path, name))
}

const reasonName = (name: string) => `${name}.raison.txt`

/** Another file of that name stays: this one takes its fingerprint into its name. */
async function freeName(target: string, name: string, sha256: string): Promise<string> {
  const isThere = (at: string) =>
    lstat(join(target, at)).then(
      () => true,
      () => false,
    )
  const end = extname(name)
  const taken = (await isThere(name)) || (await isThere(reasonName(name)))
  return taken ? `${name.slice(0, name.length - end.length)}-${sha256.slice(0, 8)}${end}` : name
}
