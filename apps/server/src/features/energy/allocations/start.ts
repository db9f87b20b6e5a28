import { and, eq } from 'drizzle-orm'
import { loadFirstRetainedDay } from '../../../core/retired.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../french.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { computeInputHash, loadRunInput, requireComputable } from './input.ts'
import { requireRunPeriod } from './period.ts'
import { findEquivalentRun, findPendingRun, insertRun, type RunRequest, type RunRow } from './runs.ts'
import { requireInService } from './service.ts'
import { predictShortfall } from './shortfall.ts'
import { buildSignOff, type RunAuthor, requireRunAuthor, type StoredSignOff } from './sign-off.ts'

/** Locked until the transaction ends: of two requests at once, the second sees the first one's run. */
async function lockRunOperation(tx: Db, { companyId, operationId }: RunRequest) {
  const where = and(eq(operations.companyId, companyId), eq(operations.id, operationId))
  const [row] = await tx.select().from(operations).where(where).for('no key update')
  if (!row) throw new AppError('not-found')
  return row
}

/** A definitive run requires measured data, an operation in service, and a person's decision. */
function requireDefinitiveAllowed(request: RunRequest, operation: typeof operations.$inferSelect, author: RunAuthor) {
  requireRunAuthor(author)
  requireInService(operation, request)
  if (request.estimated)
    throw fieldError(
      'estimated',
      'Un calcul définitif ne s’appuie que sur des relevés\u00a0: les estimations sont réservées aux calculs provisoires.',
    )
}

/** A run over deleted readings would be empty, and would replace one with results. */
async function requireCurvesKept(tx: Db, { companyId, from }: RunRequest) {
  const before = await loadFirstRetainedDay(tx, companyId)
  if (before !== null && from < before)
    throw fieldError(
      'from',
      `Les courbes d’avant le ${formatFrenchDay(before)} ont été effacées au terme de leur conservation\u00a0: leurs sommes restent, sans nouveau calcul.`,
    )
}

type SignOffInput = { reason: string } | undefined
type PreparedRun = { equal: RunRow } | { equal: undefined; signOff: StoredSignOff | null }

/** Checks a run before it is inserted; `equal` is an existing run with the same input, which replaces it. */
async function prepareRun(
  tx: Db,
  request: RunRequest,
  author: RunAuthor,
  signOffInput: SignOffInput,
): Promise<PreparedRun> {
  const operation = await lockRunOperation(tx, request)
  requireRunPeriod(request)
  await requireCurvesKept(tx, request)
  const definitive = request.kind === 'definitive'
  if (definitive) requireDefinitiveAllowed(request, operation, author)
  if (await findPendingRun(tx, request))
    throw new AppError('in-progress', { message: 'Un calcul de cette période est déjà en cours.' })
  const input = await loadRunInput(tx, request)
  requireComputable(input)
  const hash = await computeInputHash(tx, input)
  const equal = await findEquivalentRun(tx, request, hash)
  if (equal) return { equal }
  const missing = definitive ? await predictShortfall(tx, input) : []
  return { equal: undefined, signOff: buildSignOff(author, missing, signOffInput, hash) }
}

export const enqueueRun = (tx: Db, { companyId, id }: { companyId: number; id: string }) =>
  enqueue(tx, 'allocations.run', { companyId, runId: id }, { once: id })

/** Starts a run, or returns the existing one with the same input. */
export async function startRun(
  tx: Db,
  request: RunRequest,
  author: RunAuthor,
  signOffInput?: SignOffInput,
): Promise<RunRow> {
  const prepared = await prepareRun(tx, request, author, signOffInput)
  if (prepared.equal) return prepared.equal
  const run = await insertRun(tx, request, author?.userId ?? null, {
    signOff: prepared.signOff,
    keyId: author?.keyId,
  })
  await enqueueRun(tx, run)
  return run
}

/**
 * The same for a process without a job queue that computes the run itself: without an author, so never a definitive
 * one.
 */
export async function insertRunWithoutQueue(tx: Db, request: RunRequest): Promise<RunRow> {
  const prepared = await prepareRun(tx, request, null, undefined)
  return prepared.equal ?? insertRun(tx, request, null)
}
