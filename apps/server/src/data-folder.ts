import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getTraversableFolderMode, PRIVATE_FILE } from './private-files.ts'
import { StartupError } from './startup.ts'

const describeErrorCode = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

/** When it creates several folders on a read-only disk, Node reports ENOENT instead of the real cause. */
function describeParentErrorCode(folder: string): string {
  const parent = dirname(folder)
  if (parent !== folder && !existsSync(parent)) return describeParentErrorCode(parent)
  try {
    accessSync(parent, constants.W_OK | constants.X_OK)
    return 'ENOENT'
  } catch (error) {
    return describeErrorCode(error)
  }
}

export function requireDataFolder(dataDir: string) {
  try {
    mkdirSync(dataDir, { recursive: true, mode: getTraversableFolderMode() })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = describeErrorCode(error) === 'ENOENT' ? describeParentErrorCode(dataDir) : describeErrorCode(error)
    throw new StartupError(
      `Le dossier de données ${dataDir} ne peut pas être utilisé (${code}). ` +
        'Vérifiez ses droits, ou indiquez un autre dossier avec DATA_DIR.',
    )
  }
}

/** Written completely or not at all: on a full disk, half a key would look like a damaged one. */
function createKeyFile(path: string) {
  try {
    writeFileSync(path, randomBytes(32).toString('base64'), { ...PRIVATE_FILE, flag: 'wx', flush: true })
  } catch (error) {
    // Two processes may start at once: the first key wins.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return
    rmSync(path, { force: true })
    throw error
  }
}

function readOrCreateKey(path: string, name: 'secret' | 'backup'): string {
  try {
    if (!existsSync(path)) createKeyFile(path)
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartupError(
      `La clé ${path} ne peut pas être lue ou écrite (${describeErrorCode(error)}). Vérifiez que ce fichier et son dossier sont au compte ` +
        `qui lance Voisol, et qu’il reste de la place, ou donnez ${name.toUpperCase()}_KEY. Rien n’a été effacé.`,
    )
  }
}

/** In development the key is generated once and stored beside the data it protects. */
export function loadOrCreateLocalKey(dataDir: string, name: 'secret' | 'backup'): Buffer {
  const path = join(dataDir, `${name}.key`)
  const key = Buffer.from(readOrCreateKey(path, name), 'base64')
  if (key.length === 32) return key
  throw new StartupError(
    `La clé ${path} est illisible\u00a0: remettez-la depuis une sauvegarde, ou donnez ${name.toUpperCase()}_KEY. Rien n’a été effacé.`,
  )
}
