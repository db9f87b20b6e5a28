import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { formatFrenchNumber } from '../../../french.ts'
import { CopyFault } from './fault.ts'
import { isCopyComplete } from './manifest.ts'
import { getCopiesFolder, listCopies, openCopyStore } from './place.ts'

/** A copy is somewhat larger than the one before. */
const COPY_GROWTH = 1.2
/** A restored database takes its indexes and the journal of their making as well. */
const RESTORE_GROWTH = 1.5
/** What stays free beside: a full disk stops the service itself. */
const RESERVE_BYTES = 100_000_000

const formatSize = (bytes: number) =>
  bytes < 1e9
    ? `${formatFrenchNumber(Math.ceil(bytes / 1e6))}\u00a0Mo`
    : `${formatFrenchNumber(Math.ceil(bytes / 1e8) / 10)}\u00a0Go`

const loadDatabaseBytes = async ({ $client }: Db) =>
  (await $client.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')).rows[0]
    ?.bytes ?? 0

/**
 * As large as the last that lacks no file; where there is none, as everything that is copied, since it is not known how
 * well that packs.
 */
async function estimateCopyBytes({ db, config }: Deps): Promise<number> {
  const last = (await listCopies(openCopyStore(config))).find(({ manifest }) => isCopyComplete(manifest))
  if (last) return last.content.bytes * COPY_GROWTH
  const { rows } = await db.$client.query<{ bytes: number }>(
    'select coalesce(sum(size), 0)::float8 as bytes from files',
  )
  return (await loadDatabaseBytes(db)) + (rows[0]?.bytes ?? 0)
}

function requireBytes(folder: string, what: string, needed: number, free: number): void {
  const requiredBytes = needed + RESERVE_BYTES
  if (free < requiredBytes)
    throw new CopyFault(
      `Pas assez de place pour ${what}\u00a0: il faut ${formatSize(requiredBytes)} libres sous ${folder}, il y en a ${formatSize(free)}. ` +
        'Libérez-en, agrandissez le disque, ou gardez moins de copies.',
    )
}

const findLocalCopiesFolder = (config: Config) => (config.BACKUP_S3_BUCKET ? undefined : getCopiesFolder(config))

/** Asked before a draft is begun: it is written whole on this machine, then once more where copies are kept. */
export async function requireSpaceForCopy(deps: Deps): Promise<void> {
  const { config, room } = deps
  const needed = await estimateCopyBytes(deps)
  const place = findLocalCopiesFolder(config)
  const draft = await room.freeSpace(config.dataDir)
  const storeSpace = place ? await room.freeSpace(place) : undefined
  const shared = storeSpace?.device === draft.device
  requireBytes(config.dataDir, 'le brouillon d’une copie', shared ? 2 * needed : needed, draft.bytes)
  if (place && storeSpace && !shared) requireBytes(place, 'une copie', needed, storeSpace.bytes)
}

/** Asked before a copy is restored to try it: a database of its own, as large as the one in service. */
export async function requireSpaceForRestoreTest({ db, config, room }: Deps): Promise<void> {
  const { bytes } = await room.freeSpace(config.dataDir)
  requireBytes(config.dataDir, 'un essai de restauration', (await loadDatabaseBytes(db)) * RESTORE_GROWTH, bytes)
}
