import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Db } from './db/client.ts'
import { isDiskFullError } from './db/database-errors.ts'
import type { FileStore } from './integrations/files/files.ts'
import type { StatementListener } from './telemetry/statements.ts'

/** PostgreSQL stops where it cannot create its next 16 MB WAL segment. */
const MIN_FREE_BYTES = 32_000_000
const PROBE_FILE = 'room/trial'
const PROBE_FILE_BYTES = 64_000
/** A temporary table is written to the disk like any other, and disappears. */
const PROBE_TABLE = `
  create temporary table room_trial (filler text) on commit drop;
  insert into room_trial select repeat(md5(n::text), 200) from generate_series(1, 20) as n;
  drop table room_trial`

const NO_SPACE = 'Il n’y a plus de place sur le disque'
export const NO_SPACE_MESSAGES = {
  disk: `${NO_SPACE} du dossier de données\u00a0: libérez-en, ou agrandissez-le. Le service reprend de lui-même.`,
  database: `${NO_SPACE} de la base de données\u00a0: libérez-en, ou agrandissez-le. Le service reprend de lui-même.`,
  files: `${NO_SPACE} des fichiers\u00a0: libérez-en, ou agrandissez-le. Le service reprend de lui-même.`,
}

const hasSpaceFor = (work: () => Promise<unknown>) =>
  work().then(
    () => true,
    (error: unknown) => !isDiskFullError(error),
  )

/** Free space where a folder is, or will be created, and the id of that disk. */
async function loadFreeSpace(folder: string): Promise<{ bytes: number; device: number }> {
  try {
    const [{ bavail, bsize }, { dev: device }] = await Promise.all([statfs(folder), stat(folder)])
    return { bytes: bavail * bsize, device }
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!absent || dirname(folder) === folder) throw error
    return loadFreeSpace(dirname(folder))
  }
}

type Places = { dataDir: string | undefined; db: Db; files: FileStore }

/**
 * Monitors disk space. A local data disk is measured; elsewhere, after a first refusal, a write is tried until it
 * succeeds.
 */
export function createDiskSpaceMonitor({ dataDir, db, files }: Places) {
  let refused = false

  async function onDisk(): Promise<string | undefined> {
    const space = dataDir ? await statfs(dataDir).catch(() => undefined) : undefined
    return space && space.bavail * space.bsize < MIN_FREE_BYTES ? NO_SPACE_MESSAGES.disk : undefined
  }
  async function probeSpace(): Promise<string | undefined> {
    if (!(await hasSpaceFor(() => db.$client.query(PROBE_TABLE)))) return NO_SPACE_MESSAGES.database
    if (!(await hasSpaceFor(() => files.put(PROBE_FILE, Buffer.alloc(PROBE_FILE_BYTES), 'application/octet-stream'))))
      return NO_SPACE_MESSAGES.files
    await files.remove(PROBE_FILE).catch(() => {})
    refused = false
    return undefined
  }

  return {
    /** If an error was due to a full disk, space is checked until there is some. */
    note(error: unknown) {
      refused ||= isDiskFullError(error)
    },
    /** What lacks space, in French; undefined if nothing. */
    lacking: async () => (await onDisk()) ?? (refused ? probeSpace() : undefined),
    /** The same, without any query. */
    onDisk,
    freeSpace: loadFreeSpace,
  }
}
export type DiskSpaceMonitor = ReturnType<typeof createDiskSpaceMonitor>

/** At least so many recent commits were slower: a single one may be a checkpoint or a large import. */
const SLOW_COMMIT_MS = 250
const MIN_SLOW_COMMITS = 4
const MAX_REMEMBERED_COMMITS = 32
/** Older commits no longer count. */
const RECENT_MS = 60_000

const formatSlowDiskMessage = (ms: number) =>
  `La base de données met ${new Intl.NumberFormat('fr-FR').format(Math.round(ms))}\u00a0ms à enregistrer\u00a0: son disque est lent ou la machine surchargée. ` +
  'Rien n’est perdu, mais tout attend\u00a0: regardez l’état du disque, et ce qui écrit à côté.'

/** The duration of a commit is that of the disk, since nothing else is left to do. */
export function createSlowDiskDetector(now = () => performance.now()) {
  let last: { at: number; ms: number }[] = []
  const hear: StatementListener = ({ text, ms, error }) => {
    if (text !== 'commit' || error) return
    last = [...last.slice(1 - MAX_REMEMBERED_COMMITS), { at: now(), ms }]
  }
  return {
    hear,
    /** In French; undefined when all is well. */
    trouble(): string | undefined {
      const slow = last.filter(({ at, ms }) => ms >= SLOW_COMMIT_MS && at >= now() - RECENT_MS)
      if (slow.length < MIN_SLOW_COMMITS) return undefined
      return formatSlowDiskMessage(
        slow.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(slow.length / 2)] ?? SLOW_COMMIT_MS,
      )
    },
  }
}
export type SlowDiskDetector = ReturnType<typeof createSlowDiskDetector>
