import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { lstat, mkdir, mkdtemp, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getTraversableFolderMode } from '../private-files.ts'
import { StartupError } from '../startup.ts'
import type { PostgresBinaries } from './embedded-binaries.ts'
import { changeFolderOwner, isProcessRunning, type ProcessAccount } from './embedded-process.ts'

const POSTGRES_MAJOR_VERSION = '18'
const NOTHING_DELETED =
  'Rien n’a été effacé. Restaurez une sauvegarde, indiquez un autre dossier avec DATA_DIR, ou une base avec DATABASE_URL.'

const isMissingOrEmpty = (folder: string) =>
  readdir(folder).then(
    (names) => names.length === 0,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return true
      if (error.code === 'ENOTDIR') return false
      throw error
    },
  )

/** The log of PostgreSQL from a position on. */
export const readLogFrom = async (log: string, from: number) => (await readFile(log)).subarray(from).toString()

/** Sent to clients that connect too early: it is not a cause, and may be logged after it. */
const NOT_READY_PATTERN = /FATAL:\s+the database system is /

/** The last error in the log. */
export function findLastLogError(written: string) {
  const lines = written
    .trim()
    .split('\n')
    .filter((line) => !NOT_READY_PATTERN.test(line))
  const complaint = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? ''
  return complaint.replace(/^.*?(FATAL|PANIC):\s*/, '')
}

/** Messages of PostgreSQL about its own damaged files. */
const CORRUPTION_PATTERNS: [RegExp, string][] = [
  [/control file|pg_control/i, 'son fichier de contrôle (global/pg_control) est abîmé ou manque'],
  [/checkpoint record|redo|WAL|write-ahead/i, 'son journal (pg_wal) est abîmé ou manque'],
  [
    /invalid page|could not read block|checksum|could not open (file|directory)/i,
    'un de ses fichiers est abîmé ou manque',
  ],
]
/** Errors of the disk: nothing is damaged, and the remedy is another. */
const DISK_ERROR_PATTERNS: [RegExp, string][] = [
  [/No space left|Disk quota exceeded/i, 'Il n’y a plus de place sur le disque\u00a0: libérez-en, ou agrandissez-le. '],
  [
    /Read-only file system/i,
    'Le disque est en lecture seule\u00a0: remontez-le en écriture, ou choisissez un autre dossier. ',
  ],
  [
    /Permission denied/i,
    'Le compte de PostgreSQL n’a pas le droit d’y écrire\u00a0: vérifiez à qui sont les fichiers. ',
  ],
]
const findDiskError = (complaint: string) => DISK_ERROR_PATTERNS.find(([pattern]) => pattern.test(complaint))?.[1]

const describeCorruption = (complaint: string) => {
  const found = CORRUPTION_PATTERNS.find(([pattern]) => pattern.test(complaint))?.[1]
  return found ? `La base est abîmée\u00a0: ${found}. ` : ''
}

export const createStartError = (paths: ClusterLayout, complaint: string) =>
  new StartupError(
    `PostgreSQL n’a pas pu démarrer sur le dossier ${paths.cluster}\u00a0: ${complaint || 'raison inconnue'}. ` +
      `${findDiskError(complaint) ?? describeCorruption(complaint)}Journal\u00a0: ${paths.log}. ${NOTHING_DELETED}`,
  )

/** Runs a PostgreSQL program under the account, with its output in the log. */
export async function runPostgresProgram(
  paths: ClusterLayout,
  tools: PostgresBinaries,
  account: ProcessAccount,
  command: string[],
) {
  const log = await open(paths.log, 'a', 0o600)
  try {
    const [program = '', ...args] = [...account.wrapper, ...command]
    // In its own session: Ctrl-C in the terminal reaches only the server, which then stops PostgreSQL cleanly.
    const options = { detached: true, cwd: '/', env: tools.env, ...account.ids }
    return spawn(program, args, { ...options, stdio: ['ignore', log.fd, log.fd] })
  } finally {
    await log.close()
  }
}

/** A kill during initdb leaves such a folder behind; it never held data. */
async function removeUnfinishedClusters({ dir }: ClusterLayout) {
  for (const name of await readdir(dir)) {
    const pid = Number(/^cluster\.init-(\d+)$/.exec(name)?.[1])
    if (!pid || (pid !== process.pid && isProcessRunning(pid))) continue
    await rm(path.join(dir, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

async function createCluster(paths: ClusterLayout, tools: PostgresBinaries, account: ProcessAccount) {
  await removeUnfinishedClusters(paths)
  const draft = path.join(paths.dir, `cluster.init-${process.pid}`)
  await mkdir(draft, { mode: 0o700 })
  await changeFolderOwner(draft, account)
  const from = await stat(paths.log).then(
    (log) => log.size,
    () => 0,
  )
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${SUPERUSER_ROLE}`, '--auth-local=trust', '--auth-host=reject']
  const child = await runPostgresProgram(paths, tools, account, [
    tools.initdb,
    '-D',
    draft,
    ...access,
    ...locale,
    '--no-instructions',
  ])
  const failed = await once(child, 'exit').then(
    ([code]) => code !== 0,
    () => true,
  )
  // Only a complete cluster gets the final name; if another server was quicker, its cluster is used.
  if (!failed) await rename(draft, paths.cluster).catch(() => undefined)
  await rm(draft, { recursive: true, force: true })
  if (failed || (await isMissingOrEmpty(paths.cluster)))
    throw createStartError(paths, findLastLogError(await readLogFrom(paths.log, from)))
}

/** Creates the cluster if there is none, and refuses a folder that is not one; never deletes data. */
export async function prepareCluster(paths: ClusterLayout, tools: PostgresBinaries, account: ProcessAccount) {
  if (await isMissingOrEmpty(paths.cluster)) await createCluster(paths, tools, account)
  const version = await readFile(path.join(paths.cluster, 'PG_VERSION'), 'utf8').catch(() => '')
  if (!version.trim()) {
    throw new StartupError(
      `Le dossier ${paths.cluster} est endommagé ou ne contient pas une base de Voisol\u00a0: PG_VERSION est illisible. ${NOTHING_DELETED}`,
    )
  }
  if (version.trim() !== POSTGRES_MAJOR_VERSION) {
    throw new StartupError(
      `Le dossier ${paths.cluster} vient de PostgreSQL ${version.trim()}, et Voisol fournit PostgreSQL ${POSTGRES_MAJOR_VERSION}. ${NOTHING_DELETED}`,
    )
  }
  await changeFolderOwner(paths.cluster, account)
}

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

/** The superuser role made by initdb: it is used only to create the other roles. */
export const SUPERUSER_ROLE = 'voisol'
/** Owns the database and its tables. */
export const OWNER_ROLE = 'voisol_owner'
export const APPLICATION_ROLE = 'voisol_app'
export const DATABASE_NAME = 'voisol'

export const buildConnectionUrl = (socket: string, database: string, role: string) =>
  // `pg` prefers the host of the query; the one before it only keeps the address readable by any URL parser.
  `postgres://${role}@localhost/${database}?host=${encodeURIComponent(socket)}`
