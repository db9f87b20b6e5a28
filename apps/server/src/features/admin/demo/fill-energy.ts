import { setImmediate } from 'node:timers/promises'
import { allocations } from '@voisol/contract/allocations'
import { addDays, addMonths, daysBetween, listDays, monthOf } from '@voisol/energy/calendar'
import { formatFrenchDay } from '@voisol/file-formats/french'
import type { OperationPlan, PlannedMeter } from '@voisol/simulator/demo/blueprint'
import {
  computeCorrectedRows,
  computeReceivedDays,
  getDeliveryDay,
  listLostDays,
  toDayRow,
  warmUpSky,
} from '@voisol/simulator/demo/demo-readings'
import { listCorrections, type ReadingCorrection, type ReadingSite } from '@voisol/simulator/demo/reading-incidents'
import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { PointDayReadings } from '../../../core/readings.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { allocationRuns } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { appendAudit } from '../../../http/audit.ts'
import { toAppError } from '../../../http/errors.ts'
import {
  executeRun,
  findAllocationRun,
  insertRunWithoutQueue,
  loadRunShortfall,
  type RunRequest,
  type RunRow,
  type StoredSignOff,
  toRunRow,
} from '../../energy/allocation/index.ts'
import { storeReadingsAndNotify } from '../../energy/curves/index.ts'
import { getDemoPointId } from './fill-structure.ts'

type FillOptions = {
  companyId: number
  /** The author of the demo data. */
  actor: Actor
  today: string
  site: ReadingSite
  signal?: AbortSignal | undefined
}

/** Small batches keep memory low and let an abort take effect quickly. */
const POINTS_PER_BATCH = 24

const toImportTime = (day: string) => new Date(`${day}T05:10:00Z`)

/** Generates and stores the missing readings. Returns the number of days stored. */
export async function fillCurves({ db }: Deps, plan: OperationPlan, filling: FillOptions): Promise<number> {
  const { companyId, today, site, signal } = filling
  const missing = await listMissingDays(db, companyId, plan, today, site.anchor)
  if (!missing.length) return 0
  await warmUpSky(
    site,
    missing.flatMap(({ days }) => [days[0] ?? today, days.at(-1) ?? today]),
  )
  let stored = 0
  let storing = Promise.resolve(0)
  for (let at = 0; at < missing.length; at += POINTS_PER_BATCH) {
    // One batch is written to the database while the next one is generated.
    const deliveries = await generateReadings(missing.slice(at, at + POINTS_PER_BATCH), site, signal)
    stored += await storing
    storing = storeDeliveries(db, deliveries, filling)
    storing.catch(() => {}) // the error is thrown where it is awaited
  }
  return stored + (await storing)
}

async function storeDeliveries(
  db: Db,
  deliveries: Map<string, PointDayReadings[]>,
  { companyId, signal }: FillOptions,
): Promise<number> {
  let stored = 0
  for (const [day, rows] of deliveries) {
    signal?.throwIfAborted()
    // A reading that is not due yet is recorded as just received.
    const due = toImportTime(day)
    const receivedAt = due < new Date() ? due : new Date()
    stored += (await storeReadingsAndNotify(db, companyId, rows, { source: 'model', receivedAt })).inserted
  }
  return stored
}

async function generateReadings(
  missing: MissingDays[],
  site: ReadingSite,
  signal: AbortSignal | undefined,
): Promise<Map<string, PointDayReadings[]>> {
  const deliveries = new Map<string, PointDayReadings[]>()
  for (const { meter, pointId: id, days } of missing) {
    signal?.throwIfAborted()
    for (const [day, reading] of computeReceivedDays(meter, site, days)) {
      const due = getDeliveryDay(meter.ref, day, site.anchor)
      const rows = deliveries.get(due) ?? []
      rows.push(toDayRow(id, day, reading))
      deliveries.set(due, rows)
    }
    // One meter takes some tens of milliseconds: yields to other requests in between.
    await setImmediate()
  }
  return deliveries
}

/** Stores a correction over the first readings. Idempotent: the same correction again changes nothing. */
async function applyCorrection(
  { db }: Deps,
  plan: OperationPlan,
  correction: ReadingCorrection,
  filling: FillOptions,
): Promise<void> {
  const meter = plan.meters.find(({ ref }) => ref === correction.ref)
  if (!meter) return
  const id = getDemoPointId(meter.ref, meter.direction)
  const rows = computeCorrectedRows(id, meter, filling.site, correction)
  await storeReadingsAndNotify(db, filling.companyId, rows, {
    source: 'model',
    receivedAt: toImportTime(correction.receivedOn),
  })
}

export async function applyEarlyCorrections(deps: Deps, plan: OperationPlan, filling: FillOptions): Promise<void> {
  for (const correction of listCorrections(filling.site.anchor).soon)
    await applyCorrection(deps, plan, correction, filling)
}

type MissingDays = { meter: PlannedMeter; pointId: string; days: string[] }
type MeterPeriod = { meter: PlannedMeter; pointId: string; from: string; to: string }

/** A meter is read from the day it joins the operation until it leaves. */
function listMeterPeriods({ lines, meters }: OperationPlan, today: string): MeterPeriod[] {
  return meters.flatMap((meter) => {
    const own = lines.filter(({ prm, direction }) => prm === meter.prm && direction === meter.direction)
    const from = own.map((line) => line.startsOn ?? today).reduce((a, b) => (a < b ? a : b), today)
    const to = own.map((line) => line.endsOn ?? today).reduce((a, b) => (a > b ? a : b), from)
    return from < today
      ? [{ meter, pointId: getDemoPointId(meter.ref, meter.direction), from, to: to < today ? to : today }]
      : []
  })
}

const toPointIds = (spans: MeterPeriod[]) => sql`${sql.param(spans.map((span) => span.pointId))}::uuid[]`

/** Number of stored days by point and month. */
async function countStoredDays(db: Db, companyId: number, spans: MeterPeriod[]): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ key: string; days: number }>(sql`
    select point_id || ' ' || month as key, days from curve_months
     where company_id = ${companyId} and point_id = any(${toPointIds(spans)})`)
  return new Map(rows.map(({ key, days }) => [key, days]))
}

async function loadStoredDays(db: Db, companyId: number, spans: MeterPeriod[], from: string): Promise<Set<string>> {
  const { rows } = await db.execute<{ key: string }>(sql`
    select point_id || ' ' || day as key from curve_days
     where company_id = ${companyId} and point_id = any(${toPointIds(spans)}) and day >= ${from} and superseded_at is null`)
  return new Set(rows.map(({ key }) => key))
}

const loadExistingPointIds = async (db: Db, companyId: number, spans: MeterPeriod[]): Promise<Set<string>> => {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from points where company_id = ${companyId} and id = any(${toPointIds(spans)})`)
  return new Set(rows.map(({ id }) => id))
}

/** Compares counts by month, so that checking a complete demo reads almost nothing. */
function findFirstGap(
  { pointId: id, from, to }: MeterPeriod,
  counts: Map<string, number>,
  lost: Set<string>,
): string | null {
  for (let month = monthOf(from); month < to; month = addMonths(month, 1)) {
    const next = addMonths(month, 1)
    const [lo, hi] = [month > from ? month : from, next < to ? next : to]
    const gone = [...lost].filter((day) => day >= lo && day < hi).length
    if ((counts.get(`${id} ${month}`) ?? 0) < daysBetween(lo, hi) - gone) return lo
  }
  return null
}

/** The days until yesterday for which the meters of an operation have no stored readings yet. */
async function listMissingDays(
  db: Db,
  companyId: number,
  plan: OperationPlan,
  today: string,
  anchor: string,
): Promise<MissingDays[]> {
  const all = listMeterPeriods(plan, today)
  const existingIds = await loadExistingPointIds(db, companyId, all)
  const spans = all.filter((span) => existingIds.has(span.pointId))
  const counts = await countStoredDays(db, companyId, spans)
  const open = spans.flatMap((span) => {
    const lost = listLostDays(span.meter.ref, anchor)
    const since = findFirstGap(span, counts, lost)
    return since === null ? [] : [{ ...span, lost, since }]
  })
  if (!open.length) return []
  const first = open.map(({ since }) => since).reduce((a, b) => (a < b ? a : b))
  const storedDays = await loadStoredDays(db, companyId, open, first)
  return open.flatMap(({ meter, pointId: id, to, lost, since }) => {
    const days = listDays(since, to).filter((day) => !lost.has(day) && !storedDays.has(`${id} ${day}`))
    return days.length ? [{ meter, pointId: id, days }] : []
  })
}

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

const REASON =
  'Relevés perdus par le compteur, que le distributeur ne pourra pas rendre\u00a0: le conseil syndical accepte de clore sans eux.'

const toClosingTime = (day: string) => `${day}T07:42:00Z`
const toSqlMorning = (day: string) => sql`${toClosingTime(day)}::timestamptz`

async function listProvisionalRuns(tx: Db, { companyId, operationId, from, to }: RunRequest, stale: boolean) {
  const rows = await tx
    .select()
    .from(allocationRuns)
    .where(
      and(
        eq(allocationRuns.companyId, companyId),
        eq(allocationRuns.operationId, operationId),
        eq(allocationRuns.startsOn, from),
        eq(allocationRuns.endsOn, to),
        eq(allocationRuns.kind, 'provisional'),
        eq(allocationRuns.status, 'done'),
        stale ? isNotNull(allocationRuns.staleAt) : isNull(allocationRuns.staleAt),
      ),
    )
  return rows.map(toRunRow)
}

/**
 * Months with missing data are closed as an organiser would do it: with a reason, a signatory and an audit log entry.
 */
async function recordSignOff(
  tx: Db,
  { secrets }: Deps,
  actor: Actor,
  run: RunRow,
  on: string,
): Promise<StoredSignOff | null> {
  const missing = await loadRunShortfall(tx, run)
  if (!missing.length) return null
  const { companyId, userId, email, firstName, lastName } = actor
  const by = `${firstName} ${lastName}`.trim() || email
  const { method, path, summary } = allocations.start
  await appendAudit(tx, secrets, {
    companyId,
    userId,
    actor: email,
    action: `${method} ${path}`,
    label: summary,
    target: `Calcul définitif du ${formatFrenchDay(run.startsOn)} au ${formatFrenchDay(run.endsOn)}, confirmé malgré des manques\u00a0: ${REASON}`,
    outcome: 'done',
    detail: { operationId: run.operationId, runId: run.id, reason: REASON, missing },
    requestId: '',
    ip: '',
  })
  return { reason: REASON, by, at: `${on}T07:42:00.000Z`, missing, userId, inputHash: run.inputHash ?? '' }
}

/**
 * Makes the run definitive on its historical date. Runs are computed as provisional first: the events of a year and a
 * half of definitive runs at once would bury the useful notifications.
 */
const makeRunDefinitive = (deps: Deps, actor: Actor, request: RunRequest, on: string, staleOn?: string) =>
  transaction(deps.db, async (tx) => {
    for (const run of await listProvisionalRuns(tx, request, staleOn !== undefined)) {
      const signOff = await recordSignOff(tx, deps, actor, run, on)
      const took = Number(run.finishedAt) - Number(run.startedAt)
      await tx.execute(sql`
        update allocation_runs set kind = 'definitive', created_at = ${toSqlMorning(on)}, started_at = ${toSqlMorning(on)},
          sign_off = ${signOff ? JSON.stringify(signOff) : null}::jsonb,
          finished_at = ${new Date(Date.parse(toClosingTime(on)) + took)}::timestamptz${staleOn ? sql`, stale_at = ${toSqlMorning(staleOn)}` : sql``}
         where company_id = ${run.companyId} and id = ${run.id}`)
    }
  })
