import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { FileStore } from './adapters/files/files.ts'
import type { Db } from './db/client.ts'
import { isFull } from './db/full.ts'

/** PostgreSQL stops where it cannot begin its next 16 MB of journal. */
const LEAST_BYTES = 32_000_000
const TRIAL = 'room/trial'
const TRIAL_BYTES = 64_000
/** A temporary table is written to the disk as any other, and leaves nothing behind. */
const TRIAL_TABLE = `
  create temporary table room_trial (filler text) on commit drop;
  insert into room_trial select repeat(md5(n::text), 200) from generate_series(1, 20) as n;
  drop table room_trial`

const FULL = 'Il n’y a plus de place sur le disque'
export const LACKING = {
  disk: `${FULL} du dossier de données\u00a0: libérez-en, ou agrandissez-le. Le service reprend de lui-même.`,
  database: `${FULL} de la base de données\u00a0: libérez-en, ou agrandissez-le. Le service reprend de lui-même.`,
  files: `${FULL} des fichiers\u00a0: libérez-en, ou agrandissez-le. Le service reprend de lui-même.`,
}

const fits = (work: () => Promise<unknown>) =>
  work().then(
    () => true,
    (error: unknown) => !isFull(error),
  )

/** What is free where a folder is, or will be made, and which disk that is. */
async function freeSpace(folder: string): Promise<{ bytes: number; device: number }> {
  try {
    const [{ bavail, bsize }, { dev: device }] = await Promise.all([statfs(folder), stat(folder)])
    return { bytes: bavail * bsize, device }
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!absent || dirname(folder) === folder) throw error
    return freeSpace(dirname(folder))
  }
}

type Places = { dataDir: string | undefined; db: Db; files: FileStore }

/**
 * Whether there is room. Looked at on the machine itself where its disk holds the data; elsewhere it is tried from the
 * first refusal on, until a trial succeeds.
 */
export function openRoom({ dataDir, db, files }: Places) {
  let refused = false

  async function onDisk(): Promise<string | undefined> {
    const space = dataDir ? await statfs(dataDir).catch(() => undefined) : undefined
    return space && space.bavail * space.bsize < LEAST_BYTES ? LACKING.disk : undefined
  }
  async function tryOut(): Promise<string | undefined> {
    if (!(await fits(() => db.$client.query(TRIAL_TABLE)))) return LACKING.database
    if (!(await fits(() => files.put(TRIAL, Buffer.alloc(TRIAL_BYTES), 'application/octet-stream'))))
      return LACKING.files
    await files.remove(TRIAL).catch(() => {})
    refused = false
    return undefined
  }

  return {
    /** Something was refused: if that was for lack of room, it is looked into until there is some. */
    note(error: unknown) {
      refused ||= isFull(error)
    },
    /** What is missing, in words; undefined where nothing is. */
    lacking: async () => (await onDisk()) ?? (refused ? tryOut() : undefined),
    /** The same, without asking anybody else. */
    onDisk,
    freeSpace,
  }
}
export type Room = ReturnType<typeof openRoom>
