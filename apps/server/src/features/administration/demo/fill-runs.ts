import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { transaction } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { toAppError } from '../../../http/errors.ts'
import type { OperationPlan } from '../../../world/blueprint.ts'
import { listCorrections } from '../../../world/incidents.ts'
import {
  executeRun,
  findAllocationRun,
  insertRunWithoutQueue,
  type RunRequest,
} from '../../energy/allocations/allocations.ts'
import { makeRunDefinitive } from './close-run.ts'
import { applyCorrection, type FillOptions } from './fill-curves.ts'

type Period = { from: string; to: string }

/** The monthly periods of an operation until yesterday. */
function listMonthPeriods({ values }: OperationPlan, today: string): Period[] {
  const months: Period[] = []
  for (let from = values.startsOn ?? today; from < today; from = addMonths(from, 1)) {
    const next = addMonths(from, 1)
    months.push({ from, to: next < today ? next : today })
  }
  return months
}

const toRunRequest = ({ companyId }: FillOptions, { values }: OperationPlan, period: Period): RunRequest => ({
  companyId,
  operationId: values.id,
  ...period,
  kind: 'provisional',
  estimated: false,
})

async function findLastRun({ db }: Deps, { companyId, operationId, from, to }: RunRequest) {
  const [run] = await db
    .select()
    .from(allocationRuns)
    .where(
      and(
        eq(allocationRuns.companyId, companyId),
        eq(allocationRuns.operationId, operationId),
        eq(allocationRuns.startsOn, from),
        eq(allocationRuns.endsOn, to),
        inArray(allocationRuns.status, ['queued', 'running', 'done']),
      ),
    )
    .orderBy(desc(allocationRuns.createdAt))
    .limit(1)
  return run
}

/** Starts a new run, or finds the one that a correction has just started. */
async function startOrFindRun(deps: Deps, request: RunRequest): Promise<{ id: string }> {
  try {
    return await transaction(deps.db, (tx) => insertRunWithoutQueue(tx, request))
  } catch (error) {
    const runningRun = toAppError(error)?.code === 'in-progress' ? await findLastRun(deps, request) : undefined
    if (!runningRun) throw error
    return runningRun
  }
}

/** Creates the run of a month if there is none; an interrupted one is resumed. */
async function ensureRun(
  deps: Deps,
  request: RunRequest,
  signal: AbortSignal | undefined,
  anew = false,
): Promise<number> {
  signal?.throwIfAborted()
  const last = await findLastRun(deps, request)
  if (last?.status === 'done' && !anew) return 0
  const { companyId } = request
  const { id: runId } = last && last.status !== 'done' ? last : await startOrFindRun(deps, request)
  await executeRun(deps, { companyId, runId }, signal)
  const run = await findAllocationRun(deps.db, companyId, runId)
  if (run?.status !== 'done') throw new Error(`the run of ${request.from} is ${run?.status}: ${run?.message}`)
  return 1
}

const DAYS_BEFORE_CLOSING = 5
const getClosingDay = ({ to }: Period) => addDays(to, DAYS_BEFORE_CLOSING)

/**
 * A month whose readings were corrected after it was closed, and that was closed again, so that the difference can be
 * shown.
 */
async function recomputeCorrectedMonth(deps: Deps, plan: OperationPlan, filling: FillOptions): Promise<number> {
  const correction = listCorrections(filling.site.anchor).late.redone
  const from = monthOf(correction.from)
  const request = toRunRequest(filling, plan, { from, to: addMonths(from, 1) })
  const before = await findLastRun(deps, request)
  if (!before || before.kind === 'definitive' || !plan.meters.some(({ ref }) => ref === correction.ref)) return 0
  await applyCorrection(deps, plan, correction, filling)
  const stale = (await findLastRun(deps, request))?.staleAt !== null
  const made = stale ? await ensureRun(deps, request, filling.signal, true) : 0
  await makeRunDefinitive(deps, filling.actor, request, getClosingDay(request), correction.receivedOn)
  await makeRunDefinitive(deps, filling.actor, request, addDays(correction.receivedOn, 1))
  return made
}

/**
 * Computes the runs of every month: definitive except for the last two months and one that a later correction made
 * outdated. Calls `billed` once the months up to the recomputed one have the figures they were billed on.
 */
export async function fillRuns(
  deps: Deps,
  plan: OperationPlan,
  filling: FillOptions,
  billUntil: (until: string) => Promise<void>,
): Promise<number> {
  const { today, site, signal } = filling
  const open = addMonths(monthOf(site.anchor), -1)
  const redone = monthOf(listCorrections(site.anchor).late.redone.from)
  const months = listMonthPeriods(plan, today).map((period) => toRunRequest(filling, plan, period))
  let made = 0
  for (const wanted of months) made += await ensureRun(deps, wanted, signal)
  const close = async (wanted: RunRequest) => makeRunDefinitive(deps, filling.actor, wanted, getClosingDay(wanted))
  for (const wanted of months.filter(({ from }) => from < redone)) await close(wanted)
  await billUntil(addMonths(redone, 1))
  made += await recomputeCorrectedMonth(deps, plan, filling)
  for (const wanted of months.filter(({ from }) => from >= redone && from < open)) await close(wanted)
  await billUntil(addMonths(redone, 2))
  await applyCorrection(deps, plan, listCorrections(site.anchor).late.open, filling)
  return made
}
