import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { NBSP } from '@voisol/file-formats/french'
import type { Config } from '../../../config.ts'
import { fieldError } from '../../../http/errors.ts'

/** An open folder handle. `at` leads to that very folder, even if another one takes its name. */
export type OpenFolder = { path: string; at: string; close(): Promise<void> }
type Roots = Pick<Config, 'ENEDIS_FOLDERS'>

const buildFolderError = (message: string) => fieldError('folder', message)
const NO_ROOT_MESSAGE =
  'L’exploitant du serveur n’a ouvert aucun dossier aux fichiers d’Enedis (ENEDIS_FOLDERS)\u00a0: la surveillance d’un dossier n’est pas proposée.'

/**
 * The operator decides what the server reads from its disk: below each configured root, a company may use only the
 * folder named by its number.
 */
export const listWatchedFolders = ({ ENEDIS_FOLDERS }: Roots, companyId: number): string[] =>
  ENEDIS_FOLDERS.split(',')
    .map((root) => root.trim())
    .filter(Boolean)
    .map((root) => join(resolve(root), String(companyId)))

/** Checked when a folder is chosen and at each pass, since it may have been replaced meanwhile. */
export async function openWatchedFolder(config: Roots, companyId: number, folder: string): Promise<OpenFolder> {
  const own = listWatchedFolders(config, companyId)
  if (!own.length) throw buildFolderError(NO_ROOT_MESSAGE)
  if (!own.includes(resolve(folder)))
    throw buildFolderError(
      `Le dossier de votre organisation est attendu (${own.join(' ou ')}), et non «${NBSP}${folder}${NBSP}».`,
    )
  return openFolder(resolve(folder))
}

/** Refuses a link anywhere in the path, even one created while the folder is being opened. */
export async function openFolder(path: string): Promise<OpenFolder> {
  await requireNoLink(path, path)
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
  const handle = await open(path, flags).catch(createOpenErrorHandler(path))
  const at = getPathOfHandle(handle.fd, path)
  try {
    await requireNoLink(at, path)
  } catch (error) {
    await handle.close()
    throw error
  }
  return { path, at, close: () => handle.close() }
}

/** Linux can reopen a handle by its path; other systems must use the name. */
export const getPathOfHandle = (fd: number, path: string) =>
  process.platform === 'linux' ? `/proc/self/fd/${fd}` : path

async function requireNoLink(at: string, path: string): Promise<void> {
  const real = await realpath(at).catch(createOpenErrorHandler(path))
  if (real !== path)
    throw buildFolderError(
      `Le dossier ${path} passe par un lien (il mène à ${real})${NBSP}: les liens sont refusés, le chemin réel est attendu.`,
    )
}

const createOpenErrorHandler = (path: string) => (error: NodeJS.ErrnoException) => {
  throw buildFolderError(`Le dossier ${path} n’existe pas sur le serveur, ou ne peut pas être ouvert (${error.code}).`)
}
