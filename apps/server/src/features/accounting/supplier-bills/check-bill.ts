import type { BillPart, BillVerdict } from '@voisol/contract/supplier-bills'
import { formatPeriod, formatWhAsKwh } from '@voisol/documents/number-and-date-formats'
import { addDays, addMonths, listDays } from '@voisol/energy/calendar'
import { formatFrenchNumber } from '@voisol/file-formats/french'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { loadBillableRows } from '../../enedis/reconciliation/index.ts'

type DateRange = { from: string; to: string }
type BillPartsInput = DateRange & { companyId: number; participantId: string; pointId: string }
type DayRow = {
  day: string
  operationId: string | null
  kind: string | null
  total: string | null
  local: string | null
  excluded: number | null
}
type BillDay = {
  day: string
  operationId: string | null
  source: BillPart['source']
  local: number | null
  consumed: number | null
}

/** Each day with the operation of the meter under this holder, and the result of the run in force. */
async function loadBillDays(
  db: Db,
  { companyId, participantId, pointId, from, to }: BillPartsInput,
): Promise<BillDay[]> {
  const { rows } = await db.execute<DayRow>(sql`
    select g::date::text as day, m.operation_id as "operationId", r.kind, d.total, d.local, d.excluded
      from generate_series(${from}::date, ${to}::date - 1, interval '1 day') g
      left join participations m on m.company_id = ${companyId} and m.point_id = ${pointId}
        and m.participant_id = ${participantId} and m.starts_on <= g::date and (m.ends_on is null or m.ends_on > g::date)
      left join allocation_coverage c on c.company_id = ${companyId} and c.operation_id = m.operation_id and c.day = g::date
      left join allocation_runs r on r.company_id = ${companyId} and r.id = c.run_id
      left join allocation_days d on d.company_id = ${companyId} and d.run_id = c.run_id and d.point_id = ${pointId}
        and d.day = g::date
     order by 1`)
  return rows.map(({ day, operationId, kind, total, local, excluded }) => {
    if (operationId === null) return { day, operationId, source: 'outside', local: null, consumed: null }
    // A day with missing steps is unknown, and not a day with less energy.
    if (kind === null || local === null || excluded !== 0)
      return { day, operationId, source: 'missing', local: null, consumed: null }
    const source = kind === 'definitive' ? 'definitive' : 'provisional'
    return { day, operationId, source, local: Number(local), consumed: Number(total) }
  })
}

/** Splits the period by calendar month, as the distributor's figures are. */
export function splitByMonth({ from, to }: DateRange): DateRange[] {
  const ranges: DateRange[] = []
  for (let start = from; start < to; ) {
    const next = addMonths(`${start.slice(0, 7)}-01`, 1)
    ranges.push({ from: start, to: next < to ? next : to })
    start = next
  }
  return ranges
}

/** The distributor's quantity for these days, if its figures cover exactly them. */
async function loadDistributorWattMinutes(
  db: Db,
  { companyId, pointId }: BillPartsInput,
  range: DateRange,
  operationId: string,
): Promise<number | undefined> {
  const due = new Map([[pointId, listDays(range.from, range.to)]])
  const { rows } = await loadBillableRows(db, companyId, { operationId, ...range }, due)
  const covered = new Set(rows.flatMap(({ from, to }) => listDays(from, to)))
  const own = rows.length > 0 && listDays(range.from, range.to).every((day) => covered.has(day))
  const inside = rows.every(({ from, to }) => from >= range.from && to <= range.to)
  return own && inside ? rows.reduce((sum, { wh }) => sum + wh * 60, 0) : undefined
}

const sumDays = (days: readonly BillDay[], of: 'local' | 'consumed') =>
  days.reduce<number | null>((sum, day) => (sum === null || day[of] === null ? null : sum + day[of]), 0)

/** Merges consecutive days with the same source. */
function mergeAlikeDays(days: readonly BillDay[]): BillPart[] {
  const parts: BillPart[] = []
  for (const { day, source, local, consumed } of days) {
    const last = parts.at(-1)
    const next = addDays(day, 1)
    if (last && last.source === source && last.to === day) {
      last.to = next
      last.local = last.local === null || local === null ? null : last.local + local
      last.consumed = last.consumed === null || consumed === null ? null : last.consumed + consumed
    } else parts.push({ from: day, to: next, source, local, consumed })
  }
  return parts
}

/**
 * The local share of a meter over a period: the distributor's figures for whole months, otherwise our definitive ones
 * day by day.
 */
export async function loadBillParts(db: Db, input: BillPartsInput): Promise<BillPart[]> {
  const days = await loadBillDays(db, input)
  const parts: BillPart[] = []
  for (const range of splitByMonth(input)) {
    const own = days.filter(({ day }) => day >= range.from && day < range.to)
    const operations = new Set(own.map(({ operationId }) => operationId))
    const [operationId] = operations
    const distributorWattMinutes =
      operations.size === 1 && operationId ? await loadDistributorWattMinutes(db, input, range, operationId) : undefined
    if (distributorWattMinutes === undefined) parts.push(...mergeAlikeDays(own))
    else
      parts.push({ ...range, source: 'distributor', local: distributorWattMinutes, consumed: sumDays(own, 'consumed') })
  }
  return parts
}

type PrintedQuantities = { deductedKwh: number; billedKwh: number | null }
type BillCheck = {
  verdict: BillVerdict
  expectedWh: number | null
  consumedWh: number | null
  sentences: string[]
}

const WATT_MINUTES_PER_KWH = 60_000
const WATT_MINUTES_PER_WH = 60

/** Exact watt-minutes of all parts; null when a part is unknown, which is not zero. */
function sumParts(parts: readonly BillPart[], of: 'local' | 'consumed'): number | null {
  let sum = 0
  for (const part of parts) {
    if (part.source === 'outside') continue
    const value = part[of]
    if (value === null) return null
    sum += value
  }
  return sum
}
/** Rounds once, at the end. */
const roundToUnit = (wattMinutes: number, unit: number) => Math.floor((2 * wattMinutes + unit) / (2 * unit))
/** A supplier prints whole kWh with its own rounding: less than one kWh is no difference. */
const isDifferent = (printed: number, wattMinutes: number) =>
  Math.abs(printed * WATT_MINUTES_PER_KWH - wattMinutes) >= WATT_MINUTES_PER_KWH

const UNKNOWN_REASONS: Partial<Record<BillPart['source'], string>> = {
  missing: 'il manque des relevés ou un calcul',
  provisional: 'les chiffres ne sont pas encore définitifs',
}

function describeGaps(parts: readonly BillPart[]): string[] {
  return parts.flatMap((part) => {
    const why = UNKNOWN_REASONS[part.source]
    if (part.source === 'outside')
      return [`${formatPeriod(part)}\u00a0: le compteur n’était pas dans une opération, rien n’est à déduire.`]
    return why ? [`${formatPeriod(part)}\u00a0: ${why}.`] : []
  })
}

function checkDeduction(deductedKwh: number, local: number): { verdict: BillVerdict; text: string } {
  const due = formatWhAsKwh(roundToUnit(local, WATT_MINUTES_PER_WH))
  if (!isDifferent(deductedKwh, local))
    return {
      verdict: 'right',
      text: `Le fournisseur a déduit ${formatFrenchNumber(deductedKwh)}\u00a0kWh, et la part locale est de ${due}\u00a0: c’est juste, au kWh près.`,
    }
  const off = Math.abs(roundToUnit(local, WATT_MINUTES_PER_KWH) - deductedKwh)
  const short = deductedKwh * WATT_MINUTES_PER_KWH < local
  return {
    verdict: short ? 'short' : 'over',
    text: `Le fournisseur a déduit ${formatFrenchNumber(deductedKwh)}\u00a0kWh, et la part locale est de ${due}\u00a0: il en a déduit ${formatFrenchNumber(off)}\u00a0kWh ${short ? 'de moins' : 'de trop'}.`,
  }
}

function describePayable(billedKwh: number | null, consumed: number | null, local: number): string[] {
  if (billedKwh === null || consumed === null) return []
  const due = formatWhAsKwh(roundToUnit(consumed - local, WATT_MINUTES_PER_WH))
  return isDifferent(billedKwh, consumed - local)
    ? [`Il facture ${formatFrenchNumber(billedKwh)}\u00a0kWh, et il en reste ${due} une fois la part locale déduite.`]
    : [`Les ${billedKwh}\u00a0kWh qu’il facture sont bien ce qui reste une fois la part locale déduite.`]
}

/** Whether the local share was deducted correctly, to the kWh. With a gap in the data nothing is reported as wrong. */
export function evaluateBill(parts: readonly BillPart[], { deductedKwh, billedKwh }: PrintedQuantities): BillCheck {
  const [local, consumed] = [sumParts(parts, 'local'), sumParts(parts, 'consumed')]
  const known = parts.every(({ source }) => source === 'distributor' || source === 'definitive' || source === 'outside')
  const consumedWh = consumed === null ? null : roundToUnit(consumed, WATT_MINUTES_PER_WH)
  if (local === null || !known) {
    const why = 'On ne peut pas encore dire si la déduction est juste\u00a0:'
    return { verdict: 'unknown', expectedWh: null, consumedWh, sentences: [why, ...describeGaps(parts)] }
  }
  const { verdict, text } = checkDeduction(deductedKwh, local)
  const sentences = [text, ...describePayable(billedKwh, consumed, local), ...describeGaps(parts)]
  return { verdict, expectedWh: roundToUnit(local, WATT_MINUTES_PER_WH), consumedWh, sentences }
}
