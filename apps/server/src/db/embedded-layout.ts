import { createHash } from 'node:crypto'
import { lstat, mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getTraversableFolderMode } from '../private-files.ts'
import type { ProcessAccount } from './embedded-account.ts'

export type ClusterLayout = { dir: string; cluster: string; log: string; owner: string }

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, its closing zero included. */
const SOCKET_PATH_BYTES = 103
const fitsSocketPath = (folder: string) =>
  Buffer.byteLength(path.join(folder, '.s.PGSQL.5432.lock')) <= SOCKET_PATH_BYTES

export async function resolveClusterLayout(dir: string): Promise<ClusterLayout> {
  await mkdir(dir, { recursive: true, mode: getTraversableFolderMode() })
  const real = await realpath(dir)
  const at = (name: string) => path.join(real, name)
  return { dir: real, cluster: at('cluster'), log: at('postgres.log'), owner: at('owner.json') }
}

/** Where the socket goes: beside the data, or under the temporary folder when that path would be too long. */
export function chooseSocketPlace({ dir }: ClusterLayout): { parent: string; name: string } {
  if (fitsSocketPath(path.join(dir, 'socket'))) return { parent: dir, name: 'socket' }
  const name = `voisol-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`
  return { parent: fitsSocketPath(path.join(tmpdir(), `${name}-XXXXXX`)) ? tmpdir() : '/tmp', name }
}

/** Only this account may own the folder, which alone protects the socket: connections need no password. */
export async function createSocketFolder(place: { parent: string; name: string }, account: ProcessAccount) {
  const folder = path.join(place.parent, place.name)
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(folder)
  const ours = [process.getuid?.(), account.owner?.uid].includes(found.uid)
  const safe = found.isDirectory() && ours && (found.mode & 0o077) === 0
  return safe ? folder : await mkdtemp(`${folder}-`)
}
