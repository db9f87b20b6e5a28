import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ne } from 'drizzle-orm'
import { keepPath } from '../../../core/kept-files.ts'
import { cleanName, mediaTypeOf } from '../../../core/media-type.ts'
import { transaction } from '../../../db/client.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { NBSP } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import { logError, type OpenFolder, openWatched } from '../sync/sync.ts'
import { LinkFound, moveAway, withDeposit } from './deposit.ts'
import { takeIn } from './intake.ts'

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

async function sweep(deps: Deps, companyId: number, path: string): Promise<void> {
  const folder = await openWatched(deps.config, companyId, path)
  try {
    for (const entry of await readdir(folder.at, { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue
      if (entry.isSymbolicLink()) await tellLink(deps, companyId, join(path, entry.name))
      else if (isDeposit(entry)) await takeOne(deps, companyId, folder, entry.name)
    }
  } finally {
    await folder.close()
  }
}

const isDeposit = (entry: Dirent) => entry.isFile() && !entry.name.endsWith('.raison.txt')

/** Taken in at one turn, moved away at the one that finds it read. */
async function takeOne(deps: Deps, companyId: number, folder: OpenFolder, name: string): Promise<void> {
  try {
    const row = await withDeposit(folder, name, ({ path, size, sha256 }) => {
      const about = { name: cleanName(name), sha256 }
      return transaction(deps.db, (tx) =>
        takeIn(tx, { companyId, userId: null, source: 'folder', ...about }, () =>
          keepPath(tx, deps.files, companyId, { ...about, mediaType: mediaTypeOf(name), path, size }),
        ),
      )
    })
    if (row) await moveAway(folder, name, row)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (error instanceof LinkFound || code === 'ELOOP') await tellLink(deps, companyId, join(folder.path, name))
    // Somebody else has just taken it away.
    else if (code !== 'ENOENT') throw error
  }
}

const tell = (
  deps: Deps,
  companyId: number,
  subject: string,
  about: { code: string; message: string; remedy: string },
) =>
  logError(deps.db, {
    companyId,
    fault: { ...about, status: null, nature: 'request', explanation: about.message },
    subject,
    at: new Date(),
  })

/** A link could lead anywhere, to another company's files too. */
const tellLink = (deps: Deps, companyId: number, path: string) =>
  tell(deps, companyId, path, {
    code: 'file-link',
    message: `${path} est un lien vers un autre fichier${NBSP}: il n’est ni lu ni déplacé.`,
    remedy: 'Déposez le fichier lui-même dans le dossier surveillé, et retirez le lien.',
  })

const tellFolder = (deps: Deps, companyId: number, folder: string, error: NodeJS.ErrnoException) =>
  tell(deps, companyId, folder, {
    code: 'file-folder',
    message:
      error instanceof AppError
        ? error.message
        : `Le dossier ${folder} ne peut pas être lu ou modifié (${error.code ?? error.message}).`,
    remedy: `Vérifiez ce dossier et ses droits, ou changez-le dans les réglages de synchronisation${NBSP}: il est relu chaque minute.`,
  })
