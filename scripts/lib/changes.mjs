import { spawnSync } from 'node:child_process'
import { root } from './run.mjs'

/** More commits than a push brings, as a rule. */
const BEFORE = 'HEAD~40'

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })

/** The files that differ from what they were lately, committed or not; nothing where git cannot tell (a shallow clone). */
export function changedFiles() {
  const { status, stdout } = git('diff', '--name-only', BEFORE)
  if (status !== 0) return
  return [...stdout.split('\n'), ...git('ls-files', '--others', '--exclude-standard').stdout.split('\n')].filter(
    Boolean,
  )
}

const DATABASE = 'apps/server/src/db/'

/** Whether the code of the database changed lately; where nobody can tell, it did. */
export const databaseChanged = () => changedFiles()?.some((file) => file.startsWith(DATABASE)) ?? true
