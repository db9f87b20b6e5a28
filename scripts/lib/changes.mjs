import { spawnSync } from 'node:child_process'
import { root } from './run.mjs'

const TURN = 'scripts/turn.json'

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })

/**
 * The files that differ from what they were before the turn moved on, committed or not, with what the same commit changed;
 * nothing where git cannot tell (a shallow clone begins with a commit that seems to bring everything).
 */
export function changedFiles() {
  if (git('rev-parse', '--is-shallow-repository').stdout.trim() !== 'false') return
  const moved = git('log', '-1', '--format=%H', '--', TURN).stdout.trim()
  const { status, stdout } = git('diff', '--name-only', `${moved}~1`)
  if (status !== 0) return
  return [...stdout.split('\n'), ...git('ls-files', '--others', '--exclude-standard').stdout.split('\n')].filter(
    Boolean,
  )
}

const DATABASE = 'apps/server/src/db/'

/** Whether the code of the database changed since; where nobody can tell, it did. */
export const databaseChanged = () => changedFiles()?.some((file) => file.startsWith(DATABASE)) ?? true
