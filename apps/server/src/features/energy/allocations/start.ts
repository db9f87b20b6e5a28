import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { inputHash, loadInput, requireSubstance } from './input.ts'
import { requirePeriod } from './period.ts'
import { findEqual, findPending, insertRun, type RunRow, type Wanted } from './runs.ts'

/** Held until the transaction ends: of two that ask at once, the second sees the run of the first. */
async function lockOperation(tx: Db, { companyId, operationId }: Wanted) {
  const where = and(eq(operations.companyId, companyId), eq(operations.id, operationId))
  const [row] = await tx.select({ id: operations.id }).from(operations).where(where).for('no key update')
  if (!row) throw new AppError('not-found')
}

/** Without it, a run that gave the same figures already is the answer. */
async function prepare(tx: Db, wanted: Wanted): Promise<RunRow | undefined> {
  await lockOperation(tx, wanted)
  requirePeriod(wanted)
  if (wanted.kind === 'definitive' && wanted.estimated)
    throw fieldError(
      'estimated',
      'Un calcul définitif ne s’appuie que sur des relevés : les estimations sont réservées aux calculs provisoires.',
    )
  if (await findPending(tx, wanted))
    throw new AppError('in-progress', { message: 'Un calcul de cette période est déjà en cours.' })
  const input = await loadInput(tx, wanted)
  requireSubstance(input)
  return findEqual(tx, wanted, await inputHash(tx, input))
}

export const sendRun = (tx: Db, { companyId, id }: { companyId: number; id: string }) =>
  enqueue(tx, 'allocations.run', { companyId, runId: id }, { once: id })

/** Starts a run, or gives back the one that has already computed the same input. */
export async function startRun(tx: Db, wanted: Wanted, createdBy: string | null): Promise<RunRow> {
  const equal = await prepare(tx, wanted)
  if (equal) return equal
  const run = await insertRun(tx, wanted, createdBy)
  await sendRun(tx, run)
  return run
}

/** The same for a process without a queue, which computes it itself. */
export const startHere = async (tx: Db, wanted: Wanted): Promise<RunRow> =>
  (await prepare(tx, wanted)) ?? insertRun(tx, wanted, null)
