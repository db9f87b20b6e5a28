import { createHash } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { chmod, type FileHandle, lstat, mkdir, open, readdir, rename, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { NBSP } from '@voisol/file-formats/french'
import { ne } from 'drizzle-orm'
import { getMediaType, sanitizeFileName, storeFileFromPath } from '../../../core/stored-files.ts'
import { transaction } from '../../../db/client.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { getSharedFolderMode } from '../../../private-files.ts'
import { getPathOfHandle, logSyncError, type OpenFolder, openFolder, openWatchedFolder } from '../sync/index.ts'
import { type DistributorFileRow, registerFile } from './enedis-files.ts'

/** Reads the files that the distributor, or a transfer on its behalf, has put into the folder of each company. */
export async function collectDeposits(deps: Deps, signal?: AbortSignal): Promise<void> {
  const watched = await deps.db
    .select({ companyId: syncSettings.companyId, folder: syncSettings.folder })
    .from(syncSettings)
    .where(ne(syncSettings.folder, ''))
  for (const { companyId, folder } of watched) {
    if (signal?.aborted) return
    await collectFolder(deps, companyId, folder).catch((error: NodeJS.ErrnoException) =>
      logFolderError(deps, companyId, folder, error),
    )
  }
}

async function collectFolder(deps: Deps, companyId: number, path: string): Promise<void> {
  const folder = await openWatchedFolder(deps.config, companyId, path)
  try {
    for (const entry of await readdir(folder.at, { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue
      if (entry.isSymbolicLink()) await logLinkError(deps, companyId, join(path, entry.name))
      else if (isDeposit(entry)) await takeDeposit(deps, companyId, folder, entry.name)
    }
  } finally {
    await folder.close()
  }
}

const isDeposit = (entry: Dirent) => entry.isFile() && !entry.name.endsWith('.raison.txt')

/** One pass registers the file; a later pass, once it has been decoded, moves it away. */
async function takeDeposit(deps: Deps, companyId: number, folder: OpenFolder, name: string): Promise<void> {
  try {
    const row = await withDeposit(folder, name, ({ path, size, sha256 }) => {
      const about = { name: sanitizeFileName(name), sha256 }
      return transaction(deps.db, (tx) =>
        registerFile(tx, { companyId, userId: null, source: 'folder', ...about }, () =>
          storeFileFromPath(tx, deps.files, companyId, { ...about, mediaType: getMediaType(name), path, size }),
        ),
      )
    })
    if (row) await moveDeposit(folder, name, row)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (error instanceof LinkFoundError || code === 'ELOOP')
      await logLinkError(deps, companyId, join(folder.path, name))
    // A concurrent pass has just moved it.
    else if (code !== 'ENOENT') throw error
  }
}

const logDepositError = (
  deps: Deps,
  companyId: number,
  subject: string,
  about: { code: string; message: string; remedy: string },
) =>
  logSyncError(deps.db, {
    companyId,
    fault: { ...about, status: null, nature: 'request', explanation: about.message },
    subject,
    at: new Date(),
  })

/** A link could lead anywhere, for example to the files of another company. */
const logLinkError = (deps: Deps, companyId: number, path: string) =>
  logDepositError(deps, companyId, path, {
    code: 'file-link',
    message: `${path} est un lien vers un autre fichier${NBSP}: il n’est ni lu ni déplacé.`,
    remedy: 'Déposez le fichier lui-même dans le dossier surveillé, et retirez le lien.',
  })

const logFolderError = (deps: Deps, companyId: number, folder: string, error: NodeJS.ErrnoException) =>
  logDepositError(deps, companyId, folder, {
    code: 'file-folder',
    message:
      error instanceof AppError
        ? error.message
        : `Le dossier ${folder} ne peut pas être lu ou modifié (${error.code ?? error.message}).`,
    remedy: `Vérifiez ce dossier et ses droits, ou changez-le dans les réglages de synchronisation${NBSP}: il est relu chaque minute.`,
  })

const DECODED_FOLDER = 'traites'
const QUARANTINE_FOLDER = 'ecartes'
/** A file changed less than this ago may still be growing, and is left for later. */
const MIN_UNCHANGED_MS = 10_000

type Deposit = { path: string; size: number; sha256: string }

/**
 * Opens the file of this name and keeps it open, so that the hashed file is also the stored one. Undefined while it may
 * still grow.
 */
async function withDeposit<T>(folder: OpenFolder, name: string, use: (found: Deposit) => Promise<T>) {
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
class LinkFoundError extends Error {}

async function hashFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  const pieces = file.createReadStream({ highWaterMark: 1024 * 1024, start: 0, autoClose: false })
  for await (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

async function moveDeposit(folder: OpenFolder, name: string, row: DistributorFileRow): Promise<void> {
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
