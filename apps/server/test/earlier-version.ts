import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const JOURNAL = 'apps/server/src/db/migrations/meta/_journal.json'
const runGit = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** Links to all installed packages, except those of this repository. */
function linkPackages(folder: string) {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@voisol'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@voisol') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(modules, '@voisol', name))
}

/**
 * The source of the program before its newest migration, checked out into a folder. Undefined where git does not have
 * it.
 */
export function checkOutEarlierVersion(folder: string): string | undefined {
  try {
    const newest = runGit('log', '-1', '--format=%H', '--', JOURNAL)
    const archive = join(folder, 'earlier.tar')
    runGit('archive', '-o', archive, `${newest}^`, 'apps/server', 'packages', 'package.json')
    execFileSync('tar', ['-xf', archive, '-C', folder])
    linkPackages(folder)
    return join(folder, 'apps/server/src')
  } catch {
    return undefined
  }
}
