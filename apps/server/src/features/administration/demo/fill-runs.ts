import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { transaction } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { toAppError } from '../../../http/errors.ts'
import type { OperationPlan } from '../../../world/blueprint.ts'
import { correctionsOf } from '../../../world/incidents.ts'
import { executeRun, findRun, startHere, type Wanted } from '../../energy/allocations/allocations.ts'
import { closeRun } from './close-run.ts'
import { correct, type Filling } from './fill-curves.ts'

type Period = { from: string; to: string }

/** Each month of an operation until yesterday. */
function monthsOf({ values }: OperationPlan, today: string): Period[] {
  const months: Period[] = []
  for (let from = values.startsOn ?? today; from < today; from = addMonths(from, 1)) {
    const next = addMonths(from, 1)
    months.push({ from, to: next < today ? next : today })
  }
  return months
}

const wantedFor = ({ companyId }: Filling, { values }: OperationPlan, period: Period): Wanted => ({
  companyId,
  operationId: values.id,
  ...period,
  kind: 'provisional',
  estimated: false,
})

async function lastRun({ db }: Deps, { companyId, operationId, from, to }: Wanted) {
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

/** A new run; or the one that a correction has just had started elsewhere. */
async function openRun(deps: Deps, wanted: Wanted): Promise<{ id: string }> {
  try {
    return await transaction(deps.db, (tx) => startHere(tx, wanted))
  } catch (error) {
    const begun = toAppError(error)?.code === 'in-progress' ? await lastRun(deps, wanted) : undefined
    if (!begun) throw error
    return begun
  }
}

/** Makes the run of a month where there is none; one that was cut short is taken up again. */
async function ensureRun(deps: Deps, wanted: Wanted, signal: AbortSignal | undefined, anew = false): Promise<number> {
  signal?.throwIfAborted()
  const last = await lastRun(deps, wanted)
  if (last?.status === 'done' && !anew) return 0
  const { companyId } = wanted
  const { id: runId } = last && last.status !== 'done' ? last : await openRun(deps, wanted)
  await executeRun(deps, { companyId, runId }, signal)
  const run = await findRun(deps.db, companyId, runId)
  if (run?.status !== 'done') throw new Error(`the run of ${wanted.from} is ${run?.status}: ${run?.message}`)
  return 1
}

const CLOSED_AFTER = 5
const closedOn = ({ to }: Period) => addDays(to, CLOSED_AFTER)

/** A month whose readings were corrected after it was closed, and that was closed again: what changed can be shown. */
async function redo(deps: Deps, plan: OperationPlan, filling: Filling): Promise<number> {
  const correction = correctionsOf(filling.site.anchor).late.redone
  const from = monthOf(correction.from)
  const wanted = wantedFor(filling, plan, { from, to: addMonths(from, 1) })
  const before = await lastRun(deps, wanted)
  if (!before || before.kind === 'definitive' || !plan.meters.some(({ ref }) => ref === correction.ref)) return 0
  await correct(deps, plan, correction, filling)
  const stale = (await lastRun(deps, wanted))?.staleAt !== null
  const made = stale ? await ensureRun(deps, wanted, filling.signal, true) : 0
  await closeRun(deps, filling.actor, wanted, closedOn(wanted), correction.receivedOn)
  await closeRun(deps, filling.actor, wanted, addDays(correction.receivedOn, 1))
  return made
}

/**
 * The figures of every month: definitive but for the last two, and one that a later correction has overtaken. `billed` is
 * told when the months up to the one that is redone have the figures they were billed on.
 */
export async function fillRuns(
  deps: Deps,
  plan: OperationPlan,
  filling: Filling,
  billed: (until: string) => Promise<void>,
): Promise<number> {
  const { today, site, signal } = filling
  const open = addMonths(monthOf(site.anchor), -1)
  const redone = monthOf(correctionsOf(site.anchor).late.redone.from)
  const months = monthsOf(plan, today).map((period) => wantedFor(filling, plan, period))
  let made = 0
  for (const wanted of months) made += await ensureRun(deps, wanted, signal)
  const close = async (wanted: Wanted) => closeRun(deps, filling.actor, wanted, closedOn(wanted))
  for (const wanted of months.filter(({ from }) => from < redone)) await close(wanted)
  await billed(addMonths(redone, 1))
  made += await redo(deps, plan, filling)
  for (const wanted of months.filter(({ from }) => from >= redone && from < open)) await close(wanted)
  await billed(addMonths(redone, 2))
  await correct(deps, plan, correctionsOf(site.anchor).late.open, filling)
  return made
}
