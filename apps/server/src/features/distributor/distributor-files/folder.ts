import { createHash } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { access, lstat, mkdir, open, readdir, rename, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ne } from 'drizzle-orm'
import { keepPath } from '../../../core/kept-files.ts'
import { cleanName, mediaTypeOf } from '../../../core/media-type.ts'
import { transaction } from '../../../db/client.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { NBSP } from '../../../french.ts'
import { logError } from '../sync/sync.ts'
import type { FileRow } from './files.ts'
import { takeIn } from './intake.ts'

const TAKEN = 'traites'
const ASIDE = 'ecartes'
/** A file that still grows is left alone. */
const STILL_MS = 10_000

/** Takes what the distributor, or somebody for it, has put into the folder of each company. */
export async function watchFolders(deps: Deps, signal?: AbortSignal): Promise<void> {
  const watched = await deps.db
    .select({ companyId: syncSettings.companyId, folder: syncSettings.folder })
    .from(syncSettings)
    .where(ne(syncSettings.folder, ''))
  for (const { companyId, folder } of watched) {
    if (signal?.aborted) return
    await sweep(deps, companyId, folder).catch((error: NodeJS.ErrnoException) =>
      tellFolder(deps, companyId, folder, error),
    )
  }
}

async function sweep(deps: Deps, companyId: number, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (isDeposit(entry))
      await takeOne(deps, companyId, folder, entry.name).catch((error: NodeJS.ErrnoException) => {
        // Somebody else has just taken it away.
        if (error.code !== 'ENOENT') throw error
      })
}

/** Links and folders are not followed: they could lead anywhere. */
const isDeposit = (entry: Dirent) =>
  entry.isFile() && !entry.name.startsWith('.') && !entry.name.endsWith('.raison.txt')

/** Taken in at one turn, moved away at the one that finds it read. */
async function takeOne(deps: Deps, companyId: number, folder: string, name: string): Promise<void> {
  const path = join(folder, name)
  const { mtimeMs, ctimeMs, size } = await lstat(path)
  if (Date.now() - Math.max(mtimeMs, ctimeMs) < STILL_MS || size === 0) return
  const sha256 = await hashOf(path)
  const about = { name: cleanName(name), sha256 }
  const row = await transaction(deps.db, (tx) =>
    takeIn(tx, { companyId, source: 'folder', ...about }, () =>
      keepPath(tx, deps.files, companyId, { ...about, mediaType: mediaTypeOf(name), path, size }),
    ),
  )
  await moveAway(folder, name, row)
}

async function hashOf(path: string): Promise<string> {
  // A link put there since it was seen is not followed either.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  const hash = createHash('sha256')
  for await (const piece of file.createReadStream({ highWaterMark: 1024 * 1024 })) hash.update(piece)
  return hash.digest('hex')
}

async function moveAway(folder: string, name: string, { status, reason, sha256 }: FileRow): Promise<void> {
  if (status === 'waiting') return
  const target = join(folder, status === 'decoded' ? TAKEN : ASIDE)
  await mkdir(target, { recursive: true })
  const free = await freeName(target, name, sha256)
  // Of two sweeps at once the one that moves it says why.
  await rename(join(folder, name), join(target, free))
  if (status === 'quarantined') await writeFile(join(target, `${free}.raison.txt`), `${reason}\n`)
}

/** Another file of that name stays: this one takes its fingerprint into its name. */
async function freeName(target: string, name: string, sha256: string): Promise<string> {
  const there = await access(join(target, name)).then(
    () => true,
    () => false,
  )
  const end = extname(name)
  return there ? `${name.slice(0, name.length - end.length)}-${sha256.slice(0, 8)}${end}` : name
}

async function tellFolder(deps: Deps, companyId: number, folder: string, error: NodeJS.ErrnoException): Promise<void> {
  const message = `Le dossier ${folder} ne peut pas être lu ou modifié (${error.code ?? error.message}).`
  const fault = {
    code: 'file-folder',
    status: null,
    message,
    nature: 'request' as const,
    explanation: message,
    remedy: `Vérifiez ce dossier et ses droits, ou changez-le dans les réglages de synchronisation${NBSP}: il est relu chaque minute.`,
  }
  await logError(deps.db, { companyId, fault, subject: folder, at: new Date() })
}
