import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** The rules of money and of sharing, who may call what, and every file with a function from an actor to a condition of SQL. */
export const TARGETS = [
  { glob: 'packages/{money,energy}/src/**/*.ts' },
  { glob: 'packages/contract/src/{access,permissions}.ts' },
  { glob: 'apps/server/src/http/*.ts', contains: /\b(Actor|memberships)\b/ },
  {
    glob: 'apps/server/src/{core,features}/**/*.ts',
    contains:
      /^export (const|function) \w+( = )?\(.*\b(Actor|companyId|operationIds)\b.*(=>\s*(sql|and|or|eq)\b|: SQL\b)/m,
  },
]

const isSource = (file) => /\.ts$/.test(file) && !/\.(test|d)\.ts$|\/(testing|migrations)\//.test(file)

export const findTarget = (root, { glob, contains }) =>
  globSync(glob, { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => isSource(file) && (!contains || contains.test(readFileSync(path.join(root, file), 'utf8'))))

/** The files that are named, those of the folders that are named, or else every target. */
export function findFiles(root, names) {
  const toTarget = (name) => ({ glob: statSync(path.join(root, name)).isDirectory() ? `${name}/**/*.ts` : name })
  const targets = names.length ? names.map(toTarget) : TARGETS
  return [...new Set(targets.flatMap((target) => findTarget(root, target)))].sort()
}
