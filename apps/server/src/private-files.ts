import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { chmod, lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** What Voisol keeps is for its own account alone: invoices, mails and keys lie on a machine that others may use. */
export const PRIVATE_FILE = { mode: 0o600 } as const
export const PRIVATE_FOLDER = { mode: 0o700, recursive: true } as const

const isRoot = () => process.getuid?.() === 0
/**
 * On the way to the embedded PostgreSQL, which root lends to another account: that account passes through and lists
 * nothing. Elsewhere it is as closed as the rest.
 */
export const getTraversableFolderMode = () => (isRoot() ? 0o711 : 0o700)

/** As the operator started us: folders that are shared with another program keep what that says. */
const OPERATOR_UMASK = process.umask()
export const getSharedFileMode = () => 0o666 & ~OPERATOR_UMASK
export const getSharedFolderMode = () => 0o777 & ~OPERATOR_UMASK

/** From here on nothing that this process makes is open to others, whoever makes it. */
export const restrictNewFiles = () => void process.umask(0o077)

/** What lies in a data folder: anything else there is somebody else's. */
const OWN_ENTRIES =
  /^(?:files|mail|backups|copy-drafts|copy-drafts-company|export-drafts|connection-drafts|drill|fichier-.+|postgres|(?:secret|backup)\.key(?:\..+)?|(?:enedis|payment)-sandbox(?:-worker)?\.json(?:\.\d+\.tmp|\.unreadable)?)$/
/** Folders that belong to PostgreSQL's own account, which closes them itself. */
const POSTGRES_ENTRIES = ['cluster', 'socket', 'postgres']
/** What a disk or a system leaves in any folder. */
const IGNORED_ENTRIES = /^(?:lost\+found|\.DS_Store)$/

const isOpenToOthers = (mode: number, allowed: number) => (mode & 0o777 & ~allowed) !== 0

function restrictMode(path: string, allowed: number) {
  const { mode } = lstatSync(path)
  if (isOpenToOthers(mode, allowed)) chmodSync(path, mode & allowed)
}

function restrictTopEntry(path: string) {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  restrictMode(
    path,
    path.endsWith('/postgres') || path.endsWith('/drill')
      ? getTraversableFolderMode()
      : found.isDirectory()
        ? 0o700
        : 0o600,
  )
}

/**
 * Closes a data folder of an earlier version to other accounts: what stands first in it at once, which closes all that is
 * below. The folder itself stays as it is where somebody else's files lie in it too. Returns what could not be closed.
 */
export function restrictDataFolder(dataDir: string): string[] {
  const failed: string[] = []
  const attempt = (path: string, work: () => void) => {
    try {
      work()
    } catch {
      failed.push(path)
    }
  }
  const names = readdirSync(dataDir)
  for (const name of names.filter((one) => OWN_ENTRIES.test(one)))
    attempt(join(dataDir, name), () => restrictTopEntry(join(dataDir, name)))
  const isOursAlone = names.every((name) => OWN_ENTRIES.test(name) || IGNORED_ENTRIES.test(name))
  const { uid, mode } = lstatSync(dataDir)
  // Of another account it is that account's to close; a sticky one is shared by everybody.
  if (isOursAlone && uid === process.getuid?.() && !(mode & 0o1000))
    attempt(dataDir, () => restrictMode(dataDir, getTraversableFolderMode()))
  return failed
}

/** So many are looked at in one start; what is above them is closed already. */
const MAX_ENTRIES = 50_000

/** Closes what lies deeper, beside a server that already serves. Returns how many entries were open. */
export async function restrictEntries(dataDir: string, max = MAX_ENTRIES): Promise<number> {
  let looked = 0
  let closed = 0
  async function walk(folder: string): Promise<void> {
    for await (const entry of await opendir(folder)) {
      if (looked >= max) return
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory()
      if (entry.isSymbolicLink() || (isFolder && POSTGRES_ENTRIES.some((name) => entry.name.startsWith(name)))) continue
      looked++
      const { mode } = await lstat(path)
      if ((isFolder || entry.isFile()) && isOpenToOthers(mode, isFolder ? 0o700 : 0o600)) {
        await chmod(path, mode & (isFolder ? 0o700 : 0o600))
        closed++
      }
      if (isFolder) await walk(path)
    }
  }
  const names = readdirSync(dataDir).filter((name) => OWN_ENTRIES.test(name))
  for (const name of names) {
    const path = join(dataDir, name)
    // What is gone by now, or is another account's, is not ours to close.
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) await walk(path).catch(() => {})
  }
  return closed
}
