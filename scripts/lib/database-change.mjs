import { spawnSync } from 'node:child_process'
import { root } from './run.mjs'

const PART = 'apps/server/src/db'
/** More commits than a push brings. */
const BEFORE = 'HEAD~20'

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })

/** Whether the code of the database changed lately, committed or not; where git cannot tell (a shallow clone), it did. */
export function databaseChanged() {
  const { status } = git('diff', '--quiet', BEFORE, '--', PART)
  return status !== 0 || git('status', '--porcelain', '--', PART).stdout.trim() !== ''
}
