import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, type FileHandle, lstat, mkdir, open, rename, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { getSharedFolderMode } from '../../../private-files.ts'
import { getPathOfHandle, type OpenFolder, openFolder } from '../sync/sync.ts'
import type { DistributorFileRow } from './files.ts'

const DECODED_FOLDER = 'traites'
const QUARANTINE_FOLDER = 'ecartes'
/** A file changed less than this ago may still be growing, and is left for later. */
const MIN_UNCHANGED_MS = 10_000

export type Deposit = { path: string; size: number; sha256: string }

/**
 * Opens the file of this name and keeps it open, so that the hashed file is also the stored one. Undefined while it may
 * still grow.
 */
export async function withDeposit<T>(folder: OpenFolder, name: string, use: (found: Deposit) => Promise<T>) {
  const path = join(folder.at, name)
  // Does not follow a symbolic link created since the listing, and does not block on a pipe.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { mtimeMs, ctimeMs, size, nlink } = await file.stat()
    if (Date.now() - Math.max(mtimeMs, ctimeMs) < MIN_UNCHANGED_MS || size === 0) return undefined
    if (nlink > 1) throw new LinkFoundError()
    return await use({ path: getPathOfHandle(file.fd, path), size, sha256: await hashFile(file) })
  } finally {
    await file.close()
  }
}

/** A hard link: the same content has another name, which may belong to somebody else. */
export class LinkFoundError extends Error {}

async function hashFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  const pieces = file.createReadStream({ highWaterMark: 1024 * 1024, start: 0, autoClose: false })
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

export async function moveDeposit(folder: OpenFolder, name: string, row: DistributorFileRow): Promise<void> {
  const { status, reason, sha256 } = row
  if (status === 'waiting') return
  const target = await openSubfolder(folder, status === 'decoded' ? DECODED_FOLDER : QUARANTINE_FOLDER)
  try {
    const free = await findFreeName(target.at, name, sha256)
    // Of two concurrent passes, the one that moves the file reports it.
    await rename(join(folder.at, name), join(target.at, free))
    if (status === 'quarantined')
      await writeFile(join(target.at, getReasonFileName(free)), `${reason}\n`, { flag: 'wx', mode: 0o640 })
  } finally {
    await target.close()
  }
}

async function openSubfolder(folder: OpenFolder, name: string): Promise<OpenFolder> {
  await mkdir(join(folder.at, name)).then(
    () => chmod(join(folder.at, name), getSharedFolderMode()),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return openFolder(join(folder.path, name))
}

const getReasonFileName = (name: string) => `${name}.raison.txt`

/** A file of the same name is not overwritten: the hash is added to the new name. */
async function findFreeName(target: string, name: string, sha256: string): Promise<string> {
  const isThere = (at: string) =>
    lstat(join(target, at)).then(
      () => true,
      () => false,
    )
  const end = extname(name)
  const taken = (await isThere(name)) || (await isThere(getReasonFileName(name)))
  return taken ? `${name.slice(0, name.length - end.length)}-${sha256.slice(0, 8)}${end}` : name
}
