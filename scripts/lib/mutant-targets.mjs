import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** By name: the rules of money, those of sharing, and who may call what and read which rows. */
export const TARGETS = {
  money: [{ glob: 'packages/money/src/**/*.ts' }],
  energy: [{ glob: 'packages/energy/src/**/*.ts' }],
  access: [
    { glob: 'packages/contract/src/{access,permissions}.ts' },
    { glob: 'apps/server/src/http/*.ts', contains: /\b(Actor|memberships)\b/ },
    // Every file that exports a condition of SQL made for an actor.
    {
      glob: 'apps/server/src/**/*.ts',
      contains:
        /^(?:export )?(const|function) \w+( = )?\(.*\b(Actor|companyId|operationIds)\b.*(=>\s*(sql|and|or|eq)\b|: SQL\b)/m,
    },
  ],
}

const isSource = (file) => /\.ts$/.test(file) && !/\.(test|d)\.ts$|\/(testing|migrations)\//.test(file)

export const findTarget = (root, { glob, contains }) =>
  globSync(glob, { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => isSource(file) && (!contains || contains.test(readFileSync(path.join(root, file), 'utf8'))))

/** The files of the targets, files and folders that are named, or else of every target. */
export function findFiles(root, names) {
  const targets = (names.length ? names : Object.keys(TARGETS)).flatMap((name) => {
    if (Object.hasOwn(TARGETS, name)) return TARGETS[name]
    if (!existsSync(path.join(root, name))) throw new Error(`No target, file or folder is called ${name}.`)
    return { glob: statSync(path.join(root, name)).isDirectory() ? `${name}/**/*.ts` : name }
  })
  return [...new Set(targets.flatMap((target) => findTarget(root, target)))].sort()
}
