import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { chmod, lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** Files of Voisol are private to its account: invoices, mails and keys may be on a shared machine. */
export const PRIVATE_FILE = { mode: 0o600 } as const
export const PRIVATE_FOLDER = { mode: 0o700, recursive: true } as const

const isRoot = () => process.getuid?.() === 0
/**
 * Folders on the way to the embedded PostgreSQL, which runs under another account when started by root: that account
 * may pass through but not list. Otherwise private.
 */
export const getTraversableFolderMode = () => (isRoot() ? 0o711 : 0o700)

/** The operator's umask: folders shared with another program keep what it says. */
const OPERATOR_UMASK = process.umask()
export const getSharedFileMode = () => 0o666 & ~OPERATOR_UMASK
export const getSharedFolderMode = () => 0o777 & ~OPERATOR_UMASK

/** From here on everything this process creates is private. */
export const restrictNewFiles = () => void process.umask(0o077)

/** The entries that we create in a data folder: any other belongs to somebody else. */
const OWN_ENTRIES =
  /^(?:files|mail|backups|copy-drafts|copy-drafts-company|export-drafts|connection-drafts|drill|fichier-.+|postgres|(?:secret|backup)\.key(?:\..+)?|(?:enedis|payment)-sandbox(?:-worker)?\.json(?:\.\d+\.tmp|\.unreadable)?)$/
/** Folders that belong to PostgreSQL's own account, which restricts them itself. */
const POSTGRES_ENTRIES = ['cluster', 'socket', 'postgres']
/** Entries that a disk or a system adds to any folder. */
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
 * Restricts a data folder of an earlier version: its direct entries at once, which protects everything below. The
 * folder itself is left alone if it also contains files of others. Returns what could not be restricted.
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
  // Entries of other accounts are theirs to restrict; a sticky folder is shared by everybody.
  if (isOursAlone && uid === process.getuid?.() && !(mode & 0o1000))
    attempt(dataDir, () => restrictMode(dataDir, getTraversableFolderMode()))
  return failed
}

/** Checked at most in one start; everything is below a restricted entry already. */
const MAX_ENTRIES = 50_000

/** Restricts deeper entries while the server already serves. Returns how many were open. */
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
    // Entries that are gone, or belong to another account, are skipped.
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) await walk(path).catch(() => {})
  }
  return closed
}
