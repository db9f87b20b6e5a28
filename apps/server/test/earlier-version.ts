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

/** The subjects of the commits since a released version; undefined where git does not have it. */
export function listSubjectsSince(version: string): string[] | undefined {
  try {
    const commit = findReleaseCommit(version)
    return commit === undefined ? undefined : runGit('log', '--format=%s', `${commit}..HEAD`).split('\n')
  } catch {
    return undefined
  }
}

/** A released version: its tag, or the commit that dated it in the CHANGELOG, or its last commit before the next version. */
export function findReleaseCommit(version: string): string | undefined {
  if (runGit('tag', '--list', `v${version}`, '--merged')) return `v${version}`
  const last = (...args: string[]) => runGit('log', '--format=%H', ...args).split('\n')
  const dated = last('--reverse', `-S## [${version}] — `, '--', 'CHANGELOG.md')[0]
  if (dated && runGit('show', `${dated}:package.json`).includes(`"version": "${version}"`)) return dated
  const left = last(`-S"version": "${version}"`, '--', 'package.json')[0]
  return left && `${left}^`
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
