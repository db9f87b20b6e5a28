import { lstatSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Folders that the account running PostgreSQL for root passes through: it may enter but not list them. */
const TRAVERSABLE_FOLDERS = ['', 'postgres', 'drill', 'drill/postgres']

/**
 * Entries of a data folder that other accounts could read, list or change; PostgreSQL's own files belong to its
 * account.
 */
export function findExposedEntries(dataDir: string): string[] {
  const found: string[] = []
  function visitPath(path: string) {
    const name = relative(dataDir, path)
    const { mode } = lstatSync(path)
    const isFolder = lstatSync(path).isDirectory()
    const allowed = isFolder ? (process.getuid?.() === 0 && TRAVERSABLE_FOLDERS.includes(name) ? 0o711 : 0o700) : 0o600
    if (lstatSync(path).isSymbolicLink()) return
    if ((mode & 0o777 & ~allowed) !== 0) found.push(`${name || '.'} ${(mode & 0o777).toString(8)}`)
    if (isFolder && !/(?:^|\/)postgres\/(?:cluster|socket)/.test(name))
      for (const child of readdirSync(path)) visitPath(join(path, child))
  }
  visitPath(dataDir)
  return found
}
