import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ne } from 'drizzle-orm'
import { storeFileFromPath } from '../../../core/kept-files.ts'
import { getMediaType, sanitizeFileName } from '../../../core/media-type.ts'
import { transaction } from '../../../db/client.ts'
import { syncSettings } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { NBSP } from '../../../french.ts'
import { AppError } from '../../../http/errors.ts'
import { logSyncError, type OpenFolder, openWatchedFolder } from '../sync/sync.ts'
import { LinkFoundError, moveDeposit, withDeposit } from './deposit.ts'
import { registerFile } from './intake.ts'

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
