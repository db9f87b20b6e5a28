import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const PACKAGE_FILE = join(import.meta.dirname, '../package.json')
const ROOT = join(import.meta.dirname, '../../..')
const COMMIT = /^[0-9a-f]{7,64}$/
/** The length of git's short commit ids in a repository of this size. */
const SHORT_COMMIT_LENGTH = 12

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** The git folder of a checkout; in a linked worktree a file contains its path. */
function findGitFolder(root: string): string {
  const place = join(root, '.git')
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place
  return resolve(root, readText(place)?.replace(/^gitdir: /, '') ?? place)
}

/** Read from git's files: the machine may have no git, or one that refuses a checkout of another account. */
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

/** The commit given at build time, since an image has no checkout; else that of the checkout, or unknown. */
export function findCommit(given: string | undefined, root: string): string | undefined {
  const commit = given?.trim() || readCheckoutCommit(root)
  return commit && COMMIT.test(commit) ? commit.slice(0, SHORT_COMMIT_LENGTH) : undefined
}

export const VERSION: string = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')).version
/** VOISOL_COMMIT is set when an image is built, not by the operator. */
export const COMMIT_ID = findCommit(process.env.VOISOL_COMMIT, ROOT)
/** `2.2.0 (0123456789ab)`, or the version alone without a known commit. */
export const RELEASE = COMMIT_ID ? `${VERSION} (${COMMIT_ID})` : VERSION
