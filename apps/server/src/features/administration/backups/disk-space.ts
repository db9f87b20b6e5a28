import type { Config } from '../../../config.ts'
import type { Db } from '../../../db/client.ts'
import type { Deps } from '../../../deps.ts'
import { frenchNumber } from '../../../french.ts'
import { CopyFault } from './fault.ts'
import { isComplete } from './manifest.ts'
import { copiesFolder, listCopies, placeOf } from './place.ts'

/** A copy is somewhat larger than the one before. */
const GROWTH = 1.2
/** A restored database takes its indexes and the journal of their making as well. */
const RESTORED = 1.5
/** What stays free beside: a full disk stops the service itself. */
const RESERVE_BYTES = 100_000_000

const formatSize = (bytes: number) =>
  bytes < 1e9
    ? `${frenchNumber(Math.ceil(bytes / 1e6))}\u00a0Mo`
    : `${frenchNumber(Math.ceil(bytes / 1e8) / 10)}\u00a0Go`

const databaseBytes = async ({ $client }: Db) =>
  (await $client.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')).rows[0]
    ?.bytes ?? 0

/**
 * As large as the last that lacks no file; where there is none, as everything that is copied, since it is not known how
 * well that packs.
 */
async function estimateCopyBytes({ db, config }: Deps): Promise<number> {
  const last = (await listCopies(placeOf(config))).find(({ manifest }) => isComplete(manifest))
  if (last) return last.content.bytes * GROWTH
  const { rows } = await db.$client.query<{ bytes: number }>(
    'select coalesce(sum(size), 0)::float8 as bytes from files',
  )
  return (await databaseBytes(db)) + (rows[0]?.bytes ?? 0)
}

function requireBytes(folder: string, what: string, needed: number, free: number): void {
  const asked = needed + RESERVE_BYTES
  if (free < asked)
    throw new CopyFault(
      `Pas assez de place pour ${what}\u00a0: il faut ${formatSize(asked)} libres sous ${folder}, il y en a ${formatSize(free)}. ` +
        'Libérez-en, agrandissez le disque, ou gardez moins de copies.',
    )
}

const keptHere = (config: Config) => (config.BACKUP_S3_BUCKET ? undefined : copiesFolder(config))

/** Asked before a draft is begun: it is written whole on this machine, then once more where copies are kept. */
export async function requireSpaceForCopy(deps: Deps): Promise<void> {
  const { config, room } = deps
  const needed = await estimateCopyBytes(deps)
  const place = keptHere(config)
  const draft = await room.freeSpace(config.dataDir)
  const kept = place ? await room.freeSpace(place) : undefined
  const shared = kept?.device === draft.device
  requireBytes(config.dataDir, 'le brouillon d’une copie', shared ? 2 * needed : needed, draft.bytes)
  if (place && kept && !shared) requireBytes(place, 'une copie', needed, kept.bytes)
}

/** Asked before a copy is restored to try it: a database of its own, as large as the one in service. */
export async function requireSpaceForRestoreTest({ db, config, room }: Deps): Promise<void> {
  const { bytes } = await room.freeSpace(config.dataDir)
  requireBytes(config.dataDir, 'un essai de restauration', (await databaseBytes(db)) * RESTORED, bytes)
}
