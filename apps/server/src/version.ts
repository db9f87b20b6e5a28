import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const PACKAGE_FILE = join(import.meta.dirname, '../package.json')
const ROOT = join(import.meta.dirname, '../../..')
const COMMIT = /^[0-9a-f]{7,64}$/
/** As git itself shortens a commit in a repository of this size. */
const SHORT_COMMIT_LENGTH = 12

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Where git keeps the state of a checkout: of a linked worktree a file names the folder. */
function findGitFolder(root: string): string {
  const place = join(root, '.git')
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place
  return resolve(root, readText(place)?.replace(/^gitdir: /, '') ?? place)
}

/** Read from its files: the machine that serves may have no git, or one that refuses another account's checkout. */
export function readCheckoutCommit(root: string): string | undefined {
  const folder = findGitFolder(root)
  const head = readText(join(folder, 'HEAD'))
  const ref = head?.match(/^ref: (.+)$/)?.[1]
  if (!ref) return head
  const common = resolve(folder, readText(join(folder, 'commondir')) ?? '.')
  const packed = readText(join(common, 'packed-refs'))?.split('\n') ?? []
  return (
    readText(join(folder, ref)) ??
    readText(join(common, ref)) ??
    packed.find((line) => line.endsWith(` ${ref}`))?.split(' ', 1)[0]
  )
}

/** What was built says so itself: an image holds no checkout. Unknown where neither does. */
export function findCommit(given: string | undefined, root: string): string | undefined {
  const commit = given?.trim() || readCheckoutCommit(root)
  return commit && COMMIT.test(commit) ? commit.slice(0, SHORT_COMMIT_LENGTH) : undefined
}

export const VERSION: string = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')).version
/** VOISOL_COMMIT is no setting of the operator's: whoever builds an image writes it there. */
export const COMMIT_ID = findCommit(process.env.VOISOL_COMMIT, ROOT)
/** `2.2.0 (0123456789ab)`, and the version alone where the commit is not known. */
export const RELEASE = COMMIT_ID ? `${VERSION} (${COMMIT_ID})` : VERSION
