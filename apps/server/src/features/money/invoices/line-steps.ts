import type { LineStep } from '@voisol/contract/invoice-views'
import { addDays } from '@voisol/energy/calendar'
import { apportionByExactWeight } from '@voisol/money/open-line'
import { compareRatios, parseRatio, toRatio } from '@voisol/money/ratio'
import { and, desc, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { allocationRuns, points } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { findAllocationRun, loadPairSteps, type PointDaySteps } from '../../energy/allocations/allocations.ts'
import type { SnapshotEnergyLine } from './days-task.ts'
import type { InvoiceRecord } from './find.ts'
import { distributeLine, type LineDetailDeps, loadLineCells, loadProducerNames } from './line-days.ts'

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
