import { addMonths } from '@voisol/energy/calendar'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, eq } from 'drizzle-orm'
import { loadFirstRetainedDay } from '../../../core/company-state.ts'
import { OPERATION_STATUS_LABELS } from '../../../core/labels.ts'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { getToday } from '../../../today.ts'
import {
  findEquivalentRun,
  findPendingRun,
  insertRun,
  type RunRequest,
  type RunRow,
  type StoredSignOff,
} from './allocation-runs.ts'
import { buildSignOff, predictShortfall, type RunAuthor, requireRunAuthor } from './run-completeness.ts'
import { computeInputHash, loadRunInput, requireComputable } from './run-input.ts'

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

type OperationService = { name: string; status: string; startsOn: string | null; endsOn: string | null }

/** A definitive run, which invoices rely on, requires an operation in service over the whole period. */
function requireInService(
  { name, status, startsOn, endsOn }: OperationService,
  { from, to }: { from: string; to: string },
) {
  // The last months of an operation are computed after it has ended.
  const isServed = status === 'active' || (status === 'closed' && startsOn !== null && endsOn !== null)
  if (!isServed)
    throw fieldError(
      'kind',
      `L’opération «\u00a0${name}\u00a0» n’est pas en service (état\u00a0: ${formatStatus(status)})\u00a0: un calcul définitif attend qu’elle soit active. Un calcul provisoire reste possible.`,
    )
  if (startsOn !== null && from < startsOn)
    throw fieldError(
      'from',
      `L’opération «\u00a0${name}\u00a0» est en service depuis le ${formatFrenchDay(startsOn)}\u00a0: un calcul définitif ne commence pas avant.`,
    )
  if (status === 'closed' && endsOn !== null && to > endsOn)
    throw fieldError(
      'to',
      `L’opération «\u00a0${name}\u00a0» a pris fin le ${formatFrenchDay(endsOn)}\u00a0: un calcul définitif ne va pas au-delà.`,
    )
}

const formatStatus = (status: string) =>
  (Object.entries(OPERATION_STATUS_LABELS).find(([name]) => name === status)?.[1] ?? status).toLowerCase()

const MAX_RUN_MONTHS = 24

/** Requires whole past days, at most two years of them. */
export function requireRunPeriod({ from, to }: { from: string; to: string }, maxMonths = MAX_RUN_MONTHS) {
  if (from >= to) throw fieldError('to', 'La fin de la période doit venir après son début.')
  if (to > getToday())
    throw fieldError(
      'to',
      `La période doit être passée\u00a0: elle se termine au plus tard le ${formatFrenchDay(getToday())}, jour non compris.`,
    )
  if (to > addMonths(from, maxMonths))
    throw fieldError('to', `La période compte au plus ${maxMonths} mois\u00a0: raccourcissez-la.`)
}
