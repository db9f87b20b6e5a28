import { and, eq } from 'drizzle-orm'
import { retiredBefore } from '../../../core/retired.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { frenchDay } from '../../../french.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { inputHash, loadInput, requireSubstance } from './input.ts'
import { requirePeriod } from './period.ts'
import { findEqual, findPending, insertRun, type RunRow, type Wanted } from './runs.ts'
import { requireService } from './service.ts'
import { foreseeShortfall } from './shortfall.ts'
import { type Author, requireAuthor, type StoredSignOff, signedOff } from './sign-off.ts'

/** Held until the transaction ends: of two that ask at once, the second sees the run of the first. */
async function lockOperation(tx: Db, { companyId, operationId }: Wanted) {
  const where = and(eq(operations.companyId, companyId), eq(operations.id, operationId))
  const [row] = await tx.select().from(operations).where(where).for('no key update')
  if (!row) throw new AppError('not-found')
  return row
}

/** What bills will rest on: measured, of an operation in service, and decided by somebody. */
function requireDefinitive(wanted: Wanted, operation: typeof operations.$inferSelect, author: Author) {
  requireAuthor(author)
  requireService(operation, wanted)
  if (wanted.estimated)
    throw fieldError(
      'estimated',
      'Un calcul définitif ne s’appuie que sur des relevés\u00a0: les estimations sont réservées aux calculs provisoires.',
    )
}

/** A run over steps that are gone would give nothing, and take the place of the one that gave something. */
async function requireCurves(tx: Db, { companyId, from }: Wanted) {
  const before = await retiredBefore(tx, companyId)
  if (before !== null && from < before)
    throw fieldError(
      'from',
      `Les courbes d’avant le ${frenchDay(before)} ont été effacées au terme de leur conservation\u00a0: leurs sommes restent, sans nouveau calcul.`,
    )
}

type Word = { reason: string } | undefined
type Prepared = { equal: RunRow } | { equal: undefined; signOff: StoredSignOff | null }

/** Without it, a run that gave the same figures already is the answer. */
async function prepare(tx: Db, wanted: Wanted, author: Author, word: Word): Promise<Prepared> {
  const operation = await lockOperation(tx, wanted)
  requirePeriod(wanted)
  await requireCurves(tx, wanted)
  const definitive = wanted.kind === 'definitive'
  if (definitive) requireDefinitive(wanted, operation, author)
  if (await findPending(tx, wanted))
    throw new AppError('in-progress', { message: 'Un calcul de cette période est déjà en cours.' })
  const input = await loadInput(tx, wanted)
  requireSubstance(input)
  const hash = await inputHash(tx, input)
  const equal = await findEqual(tx, wanted, hash)
  if (equal) return { equal }
  const missing = definitive ? await foreseeShortfall(tx, input) : []
  return { equal: undefined, signOff: signedOff(author, missing, word, hash) }
}

export const sendRun = (tx: Db, { companyId, id }: { companyId: number; id: string }) =>
  enqueue(tx, 'allocations.run', { companyId, runId: id }, { once: id })

/** Starts a run, or gives back the one that has already computed the same input. */
export async function startRun(tx: Db, wanted: Wanted, author: Author, word?: Word): Promise<RunRow> {
  const prepared = await prepare(tx, wanted, author, word)
  if (prepared.equal) return prepared.equal
  const run = await insertRun(tx, wanted, author?.userId ?? null, {
    signOff: prepared.signOff,
    keyId: author?.keyId,
  })
  await sendRun(tx, run)
  return run
}

/** The same for a process without a queue, which computes it itself: in nobody's name, and so never a definitive one. */
export async function startHere(tx: Db, wanted: Wanted): Promise<RunRow> {
  const prepared = await prepare(tx, wanted, null, undefined)
  return prepared.equal ?? insertRun(tx, wanted, null)
}
