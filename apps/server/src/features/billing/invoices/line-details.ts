import type { LineDay, LineStep } from '@voisol/contract/invoice-views'
import { addDays } from '@voisol/energy/calendar'
import {
  addRatios,
  compareRatios,
  formatRatio,
  parseRatio,
  type Ratio,
  toRatio,
  ZERO,
} from '@voisol/money/exact-numbers'
import { apportionByExactWeight, type LineCell } from '@voisol/money/line-breakdown'
import { and, desc, eq, gt, inArray, lte, or } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { allocationRuns, billingComputations, billingMonths, points } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { findAllocationRun, loadPairSteps, type PointDaySteps } from '../../energy/allocation/index.ts'
import type { SnapshotEnergyLine } from './days-task.ts'
import type { InvoiceRecord } from './load-invoice.ts'

type LineDetailDeps = Pick<Deps, 'db' | 'compute'>

/**
 * Inputs of the months behind a line: the document's own computation first, then the others of the line's month, last
 * before first. An invoice may cover several months, and a correction may cancel an older result.
 */
async function* loadComputationInputs(
  db: Db,
  { companyId, operationId, computationId }: InvoiceRecord,
  line: SnapshotEnergyLine,
) {
  if (!operationId) return
  const own = eq(billingComputations.id, computationId ?? operationId)
  const ofMonth = eq(billingMonths.month, `${line.from.slice(0, 7)}-01`)
  const found = await db
    .select({ id: billingComputations.id })
    .from(billingComputations)
    .innerJoin(
      billingMonths,
      and(eq(billingMonths.companyId, companyId), eq(billingMonths.id, billingComputations.monthId)),
    )
    .where(
      and(eq(billingComputations.companyId, companyId), eq(billingMonths.operationId, operationId), or(own, ofMonth)),
    )
    .orderBy(desc(own), desc(billingComputations.number))
  for (const { id } of found) {
    const [row] = await db
      .select({ input: billingComputations.input })
      .from(billingComputations)
      .where(and(eq(billingComputations.companyId, companyId), eq(billingComputations.id, id)))
    if (row) yield row.input
  }
}

async function loadLineCells(
  { db, compute }: LineDetailDeps,
  invoice: InvoiceRecord,
  line: SnapshotEnergyLine,
): Promise<LineCell[]> {
  const { companyId, sellerId: seller } = invoice
  for await (const packed of loadComputationInputs(db, invoice, line)) {
    const cells = await compute('invoices.days', { packed: new Uint8Array(packed), seller, line }, { companyId })
    if (compareRatios(sumWattMinutes(cells), parseRatio(line.wattMinutes)) === 0) return cells
  }
  return []
}
const sumWattMinutes = (cells: LineCell[]): Ratio =>
  cells.reduce((sum, { wattMinutes }) => addRatios(sum, parseRatio(wattMinutes)), ZERO)

/** Labels of production points; the id of a second holder within the month is the point id and the day. */
async function loadProducerNames(db: Db, companyId: number, ids: string[]): Promise<Map<string, string>> {
  const pointIds = [...new Set(ids.map((id) => id.split('@')[0] ?? id))]
  if (!pointIds.length) return new Map()
  const rows = await db
    .select({ id: points.id, label: points.label, prm: points.prm })
    .from(points)
    .where(and(eq(points.companyId, companyId), inArray(points.id, pointIds)))
  const names = new Map(rows.map(({ id, label, prm }) => [id, label || prm]))
  return new Map(ids.map((id) => [id, names.get(id.split('@')[0] ?? id) ?? '']))
}

const TEN_THOUSANDTHS_PER_CENT = 100

/** Distributes the line's printed figures over its cells by largest remainder, so that they add up to the line. */
function distributeLine({ wh, net }: Pick<SnapshotEnergyLine, 'wh' | 'net'>, cells: readonly LineCell[]) {
  const weights = cells.map(({ wattMinutes }) => parseRatio(wattMinutes))
  const [energies, amounts] = [
    apportionByExactWeight(wh, weights),
    apportionByExactWeight(net * TEN_THOUSANDTHS_PER_CENT, weights),
  ]
  return cells.map((cell, at) => ({ ...cell, wh: energies[at] ?? 0, amount: amounts[at] ?? 0 }))
}

/** The days behind an energy line, which add up to its exact energy; none when the computation is gone. */
export async function loadLineDays(deps: LineDetailDeps, invoice: InvoiceRecord, at: number) {
  const line = invoice.snapshot.lines[at]
  if (!line) throw new AppError('not-found')
  const cells = line.kind === 'energy' ? await loadLineCells(deps, invoice, line) : []
  const producers = cells.map(({ producer }) => producer)
  const names = await loadProducerNames(deps.db, invoice.companyId, producers)
  const parts = line.kind === 'energy' ? distributeLine(line, cells) : []
  const items: LineDay[] = parts.map(({ day, producer, class: timeClass, wattMinutes, wh, amount }) => ({
    day,
    producer: names.get(producer) ?? '',
    timeClass,
    wattMinutes,
    wh,
    amount,
  }))
  return { items, wattMinutes: formatRatio(sumWattMinutes(cells)) }
}

type LinePart = ReturnType<typeof distributeLine>[number]
const getPointId = (producer: string) => producer.split('@')[0] ?? producer

/** The runs named by the document for the day, then any other of that day: a line may cancel what an older run gave. */
async function loadRunIdsOn(
  db: Db,
  { companyId, operationId, snapshot }: InvoiceRecord,
  day: string,
): Promise<string[]> {
  const named = snapshot.sources.runs.filter(({ from, to }) => from <= day && day < to).map(({ id }) => id)
  if (!operationId) return []
  const others = await db
    .select({ id: allocationRuns.id })
    .from(allocationRuns)
    .where(
      and(
        eq(allocationRuns.companyId, companyId),
        eq(allocationRuns.operationId, operationId),
        eq(allocationRuns.status, 'done'),
        lte(allocationRuns.startsOn, day),
        gt(allocationRuns.endsOn, day),
      ),
    )
    .orderBy(desc(allocationRuns.createdAt))
    .limit(5)
  return [...new Set([...named, ...others.map(({ id }) => id)])]
}

async function findPointId(db: Db, companyId: number, prm: string): Promise<string | undefined> {
  const own = and(eq(points.companyId, companyId), eq(points.prm, prm), eq(points.direction, 'consumption'))
  const [row] = await db.select({ id: points.id }).from(points).where(own)
  return row?.id
}

/** The energy that each step gave to a cell of the line: its producer, in its time class. */
const getStepEnergies = ({ steps }: PointDaySteps, part: LinePart): number[] =>
  steps.map(({ timeClass, from }) =>
    timeClass === part.class
      ? (from.find(({ producerId }) => producerId === getPointId(part.producer))?.energy ?? 0)
      : 0,
  )
const sum = (figures: number[]) => figures.reduce((all, figure) => all + figure, 0)

/** Whether the cell was computed from these steps; the distributor's quantity is distributed in proportion to ours. */
function isSourceOfPart(found: PointDaySteps, part: LinePart, { source }: SnapshotEnergyLine): boolean {
  const energy = sum(getStepEnergies(found, part))
  if (source === 'distributor') return energy > 0
  return compareRatios(toRatio(BigInt(energy), 1n), parseRatio(part.wattMinutes)) === 0
}

async function findStepsOfParts(
  db: Db,
  invoice: InvoiceRecord,
  line: SnapshotEnergyLine,
  parts: LinePart[],
  day: string,
) {
  const { companyId } = invoice
  const pointId = await findPointId(db, companyId, line.prm)
  if (!pointId) return undefined
  for (const id of await loadRunIdsOn(db, invoice, day)) {
    const run = await findAllocationRun(db, companyId, id)
    const found = run && (await loadPairSteps(db, run, day, pointId))
    if (found && parts.every((part) => isSourceOfPart(found, part, line))) return found
  }
  return undefined
}

/** Distributes each cell of the day over its steps: they add up to the day shown on the line. */
function toLineSteps(found: PointDaySteps, parts: LinePart[], names: ReadonlyMap<string, string>): LineStep[] {
  const shares = parts.map((part) => {
    const energies = getStepEnergies(found, part)
    const weights = energies.map((energy) => toRatio(BigInt(energy), 1n))
    const name = names.get(part.producer) ?? ''
    return {
      energies,
      name,
      wh: apportionByExactWeight(part.wh, weights),
      amounts: apportionByExactWeight(part.amount, weights),
    }
  })
  return found.steps.flatMap(({ start, timeClass, drawn }, at) => {
    const own = shares.filter(({ energies }) => (energies[at] ?? 0) > 0)
    if (own.length === 0) return []
    return [
      {
        start: new Date(start * 60_000).toISOString(),
        timeClass,
        drawnWh: drawn === null ? null : Math.round(drawn / 60),
        wh: sum(own.map(({ wh }) => wh[at] ?? 0)),
        amount: sum(own.map(({ amounts }) => amounts[at] ?? 0)),
        producers: [...new Set(own.map(({ name }) => name))],
      },
    ]
  })
}

/** The steps behind a day of a line, from its run; none when the run is no longer stored. */
export async function loadLineSteps(deps: LineDetailDeps, invoice: InvoiceRecord, at: number, day: string) {
  const line = invoice.snapshot.lines[at]
  if (line?.kind !== 'energy' || day < line.from || addDays(day, 1) > line.to) throw new AppError('not-found')
  const parts = distributeLine(line, await loadLineCells(deps, invoice, line)).filter((part) => part.day === day)
  const found = parts.length > 0 ? await findStepsOfParts(deps.db, invoice, line, parts, day) : undefined
  const names = await loadProducerNames(
    deps.db,
    invoice.companyId,
    parts.map(({ producer }) => producer),
  )
  return {
    items: found ? toLineSteps(found, parts, names) : [],
    minutes: found?.step ?? 15,
    wh: sum(parts.map(({ wh }) => wh)),
    amount: sum(parts.map(({ amount }) => amount)),
    key: found?.key ?? null,
  }
}
