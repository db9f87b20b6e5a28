import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import type { ApplicationRow } from './life-cycle.ts'
import { loadFirstEntryDay, loadFirstExitDay } from './notice.ts'

/** The operation of an application. */
export async function loadApplicationOperation(
  db: Db,
  { companyId, operationId }: Pick<ApplicationRow, 'companyId' | 'operationId'>,
) {
  const [row] = await db
    .select()
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, operationId)))
  if (!row) throw new AppError('not-found')
  return row
}

/**
 * The first possible day if accepted today: an entry once the distributor can be notified; a departure on its signed
 * day, or later if that is now too near for the distributor.
 */
export async function loadFirstPossibleDay(db: Db, row: ApplicationRow): Promise<string> {
  const { companyId, wantedOn } = row
  if (row.kind === 'join') return loadFirstEntryDay(db, companyId, await loadApplicationOperation(db, row))
  const told = await loadFirstExitDay(db, companyId, { startsOn: '', noticeDays: 0 })
  return wantedOn && wantedOn > told ? wantedOn : told
}
