import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const JOURNAL = 'apps/server/src/db/migrations/meta/_journal.json'
const runGitIn = (folder: string, ...args: string[]) =>
  execFileSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
const runGit = (...args: string[]) => runGitIn(ROOT, ...args)

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

/**
 * A released version: its tag, or the commit that dated it in the CHANGELOG, or its last commit before the next version.
 * The first commit of a shallow clone seems to have written every line, so it is not taken for a release.
 */
export function findReleaseCommit(version: string, folder = ROOT): string | undefined {
  const git = (...args: string[]) => runGitIn(folder, ...args)
  const log = (...args: string[]) => git('log', '--format=%H', ...args).split('\n')
  const hasParent = (commit: string) => git('rev-list', '--parents', '-1', commit).includes(' ')
  if (git('tag', '--list', `v${version}`, '--merged')) return `v${version}`
  const dated = log('--reverse', `-S## [${version}] — `, '--', 'CHANGELOG.md')[0]
  if (dated && git('show', `${dated}:package.json`).includes(`"version": "${version}"`))
    return hasParent(dated) ? dated : undefined
  const next = log(`-S"version": "${version}"`, '--', 'package.json')[0]
  return next && hasParent(next) ? `${next}^` : undefined
}

type Release = { version: string; commit: string }

/** The newest release of the CHANGELOG whose migrations differ from today's; undefined where git does not have it. */
function findPreviousRelease(): Release | undefined {
  const journal = readFileSync(join(ROOT, JOURNAL), 'utf8').trim()
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  for (const [, version = ''] of changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm))
    try {
      const commit = findReleaseCommit(version)
      if (commit && runGit('show', `${commit}:${JOURNAL}`) !== journal) return { version, commit }
    } catch {
      return undefined
    }
  return undefined
}

/**
 * Checks out what an operator updates from into a folder, beside the libraries installed today. Returns its version and
 * the folder of its source; undefined where git does not have it.
 */
export function checkOutPreviousRelease(folder: string): { version: string; source: string } | undefined {
  const release = findPreviousRelease()
  if (!release) return undefined
  const archive = join(folder, 'release.tar')
  runGit('archive', '-o', archive, release.commit, 'apps/server', 'packages', 'package.json')
  execFileSync('tar', ['-xf', archive, '-C', folder])
  linkPackages(folder)
  return { version: release.version, source: join(folder, 'apps/server/src') }
}
