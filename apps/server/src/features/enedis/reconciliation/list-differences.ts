import type { DifferenceCause, DifferenceRow } from '@voisol/contract/reconciliation'
import { addMonths, dayStart, minutesOfDay, monthOf, offsetAt } from '@voisol/energy/calendar'
import { MISSING, type Step, toEnergySteps } from '@voisol/energy/series'
import { and, eq, sql } from 'drizzle-orm'
import { formatPointDirection } from '../../../core/labels.ts'
import { unpackInts } from '../../../core/readings.ts'
import { type Db, readSnapshot } from '../../../db/client.ts'
import { points as pointTable } from '../../../db/schema/index.ts'
import type { SpreadsheetCell } from '../../../files/csv.ts'
import { buildTableFile } from '../../../files/table-file.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { explainDays, loadDayFigures } from './day-comparison.ts'
import { compareDays, explainByWhatIfs, getPeriodWithMargin } from './explain-differences.ts'
import type { ComparedPoint } from './month-sources.ts'
import { wattMinutesToWh } from './month-verdict.ts'
import { type MonthResult, reconcileMonths } from './reconcile-months.ts'
import { loadPowerLimits, type ReconciliationContext } from './reconciliation-context.ts'

type DifferenceQuery = {
  month: string
  level: 'month' | 'day' | 'step'
  pointId?: string | undefined
  day?: string | undefined
}
type ComparedSides = { ours: number | null; theirs: number | null; cause: DifferenceCause }

/** The differences of a month: by point, by day, or by step of one point's day. */
export async function listDifferences(
  db: Db,
  { companyId, operationIds }: Actor,
  operationId: string,
  query: DifferenceQuery,
): Promise<DifferenceRow[]> {
  const { level, pointId, day } = query
  const month = monthOf(query.month)
  if (level === 'step') requireStepFilters(month, pointId, day)
  if (pointId) await requireOwnPoint(db, companyId, pointId)
  return readSnapshot(db, async (view) => {
    const asked = { operationId, from: month, to: addMonths(month, 1) }
    const [result] = await reconcileMonths(view, companyId, [asked], operationIds)
    if (!result) return []
    if (level === 'month') return toMonthRows(result).filter((row) => !pointId || row.pointId === pointId)
    const days = await loadDayRows(view, result, pointId, day)
    return level === 'step' ? loadStepRows(view, result, days) : days.map(({ row }) => row)
  })
}

async function requireOwnPoint(db: Db, companyId: number, id: string): Promise<void> {
  const where = and(eq(pointTable.companyId, companyId), eq(pointTable.id, id))
  const [known] = await db.select({ id: pointTable.id }).from(pointTable).where(where)
  if (!known) throw new AppError('not-found')
}

function requireStepFilters(month: string, pointId: string | undefined, day: string | undefined): void {
  if (!pointId) throw fieldError('pointId', 'Choisissez un point\u00a0: les pas se lisent pour un point et un jour.')
  if (!day) throw fieldError('day', 'Choisissez un jour\u00a0: les pas se lisent pour un point et un jour.')
  if (monthOf(day) !== month) throw fieldError('day', 'Ce jour n’est pas dans le mois demandé.')
}

function toDifferenceRow(
  { pointId, prm, label, direction, storage }: ComparedPoint,
  at: string,
  { ours, theirs, cause }: ComparedSides,
): DifferenceRow {
  return {
    pointId,
    prm,
    label,
    direction,
    ...(storage && { storage }),
    at,
    cause,
    oursWh: ours === null ? null : wattMinutesToWh(ours),
    theirsWh: theirs === null ? null : wattMinutesToWh(theirs),
    differenceWh: ours === null || theirs === null ? null : wattMinutesToWh(ours - theirs),
  }
}

/** Producers first, then by name. */
const comparePointOrder = (a: ComparedPoint, b: ComparedPoint) =>
  b.direction.localeCompare(a.direction) || a.label.localeCompare(b.label, 'fr') || a.prm.localeCompare(b.prm)

const toMonthRows = ({ scene, points }: MonthResult) =>
  points.toSorted(comparePointOrder).map((point) => toDifferenceRow(point, scene.month, point))

type DayRow = { point: ComparedPoint; day: string; row: DifferenceRow }

/** Only for points with daily data from the distributor. */
async function loadDayRows(db: Db, { scene, points }: MonthResult, pointId?: string, day?: string): Promise<DayRow[]> {
  const wantedPoints = points.filter((point) => !pointId || point.pointId === pointId).sort(comparePointOrder)
  const ids = wantedPoints.map((point) => point.pointId)
  const differingPoints = points.filter(({ cause }) => cause !== 'equal' && cause !== 'rounding')
  const concerned = [...new Set([...ids, ...differingPoints.map((point) => point.pointId)])]
  const figures = await loadDayFigures(db, scene.companyId, getPeriodWithMargin(scene), concerned)
  const reportedIds = ids.filter((id) => scene.days.some((one) => figures.theirs.get(id)?.has(one)))
  const days = day ? scene.days.filter((one) => one === day) : scene.days
  const judged = compareDays(scene, figures, reportedIds, await loadPowerLimits(db, scene, reportedIds))
  explainDays(scene, figures, judged, differingPoints)
  await explainByWhatIfs(db, scene, judged, [])
  return wantedPoints.flatMap((point) =>
    days.flatMap((at) => {
      const sides = judged.get(point.pointId)?.get(at)
      return sides ? [{ point, day: at, row: toDifferenceRow(point, at, sides) }] : []
    }),
  )
}

/** A different step has the cause of its day. */
async function loadStepRows(db: Db, { scene }: MonthResult, days: DayRow[]): Promise<DifferenceRow[]> {
  const [found] = days
  if (!found) return []
  const { point, day, row } = found
  const { step, ours, theirs } = await loadStepFigures(db, scene, point.pointId, day)
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, at) => {
    const sides = { ours: toValueOrNull(ours[at]), theirs: toValueOrNull(theirs[at]) }
    const instant = new Date((dayStart(day) + at * step) * 60_000).toISOString()
    return toDifferenceRow(point, instant, {
      ...sides,
      cause: getStepCause(sides, Math.max(scene.tolerance.step, step), row.cause),
    })
  })
}

const toValueOrNull = (value: number | undefined) => (value === undefined || value < 0 ? null : value)

function getStepCause(
  { ours, theirs }: Omit<ComparedSides, 'cause'>,
  tolerance: number,
  ofDay: DifferenceCause,
): DifferenceCause {
  if (ours === null || theirs === null) return ofDay === 'membership-dates' ? ofDay : 'missing-data'
  const difference = Math.abs(ours - theirs)
  if (difference === 0) return 'equal'
  if (difference <= tolerance) return 'rounding'
  // When the steps of a day cancel out, the cause of the day does not apply to them.
  return ofDay === 'equal' || ofDay === 'rounding' ? 'unexplained' : ofDay
}

/** Watt-minutes per step, MISSING for gaps; both sides on the coarser of the two steps. */
type StepFigures = { step: Step; ours: Int32Array; theirs: Int32Array }

async function loadStepFigures(
  db: Db,
  context: ReconciliationContext,
  pointId: string,
  day: string,
): Promise<StepFigures> {
  const { companyId, operationId } = context
  const { rows: own } = await db.execute<{ allocated: Buffer }>(sql`
    select d.allocated from allocation_coverage c
      join allocation_days d on d.company_id = c.company_id and d.run_id = c.run_id and d.day = c.day
     where c.company_id = ${companyId} and c.operation_id = ${operationId} and c.day = ${day} and d.point_id = ${pointId}`)
  const { rows: their } = await db.execute<{ step: Step; watts: Buffer }>(sql`
    select step, watts from distributor_days
     where company_id = ${companyId} and operation_id = ${operationId} and point_id = ${pointId} and day = ${day}
       and type = 'autocons'`)
  const ours = own[0] ? unpackInts(own[0].allocated) : new Int32Array(0)
  const minutes = minutesOfDay(day)
  const ourStep = ours.length ? minutes / ours.length : 0
  const [series] = their
  const step = Math.max(ourStep, series?.step ?? 0) as Step // one of the two
  return {
    step,
    ours: ours.length ? sumSteps(ours, step / ourStep) : ours,
    theirs: series
      ? toEnergySteps({ startsAt: dayStart(day), step: series.step, watts: unpackInts(series.watts) }, step)
      : new Int32Array(0),
  }
}

/** Sums groups of steps; a group with a gap is MISSING. */
function sumSteps(values: Int32Array, parts: number): Int32Array {
  if (parts === 1) return values
  return Int32Array.from({ length: values.length / parts }, (_, at) => {
    const own = values.subarray(at * parts, (at + 1) * parts)
    return own.some((value) => value < 0) ? MISSING : own.reduce((sum, value) => sum + value, 0)
  })
}

const CAUSE_LABELS: Record<DifferenceCause, string> = {
  equal: 'Identique',
  rounding: 'Arrondi',
  'missing-data': 'Données manquantes',
  'key-version': 'Version de la clé',
  'membership-dates': 'Dates de participation',
  'swapped-members': 'Membres intervertis',
  'shifted-day': 'Jour décalé',
  'missing-class': 'Classe absente',
  unexplained: 'Inexpliqué',
}
const LEVEL_FORMATS = {
  month: { column: 'Mois', name: 'mois', at: (at: string) => `${at.slice(5, 7)}/${at.slice(0, 4)}` },
  day: { column: 'Jour', name: 'jours', at: (at: string) => at.split('-').reverse().join('/') },
  step: { column: 'Début du pas', name: 'pas', at: formatLocalStamp },
}

/** Local time with its offset, which distinguishes the repeated hour in October. */
function formatLocalStamp(instant: string): string {
  const minute = Date.parse(instant) / 60_000
  const offset = offsetAt(minute)
  return `${new Date((minute + offset) * 60_000).toISOString().slice(0, 16)}+0${offset / 60}:00`
}

const toKwh = (wh: number | null) => (wh === null ? null : Math.round(wh * 1000) / 1_000_000)

export function buildDifferencesFile(rows: DifferenceRow[], { month, level }: DifferenceQuery, format: 'csv' | 'xlsx') {
  const { column, name, at } = LEVEL_FORMATS[level]
  const header = [column, 'PRM', 'Nom', 'Sens', 'Voisol (kWh)', 'Enedis (kWh)', 'Écart (kWh)', 'Cause']
  const cells = rows.map((row): SpreadsheetCell[] => [
    at(row.at),
    row.prm,
    row.label,
    formatPointDirection(row),
    toKwh(row.oursWh),
    toKwh(row.theirsWh),
    toKwh(row.differenceWh),
    CAUSE_LABELS[row.cause],
  ])
  return buildTableFile(`rapprochement-${month.slice(0, 7)}-${name}`, format, header, cells)
}
