import type { LineStep } from '@voisol/contract/invoice-views'
import { addDays } from '@voisol/energy/calendar'
import { shareOut } from '@voisol/money/open-line'
import { compare, ratio, readRatio } from '@voisol/money/ratio'
import { and, desc, eq, gt, lte } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { allocationRuns, points } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { findRun, type PairSteps, pairSteps } from '../../energy/allocations/allocations.ts'
import type { EnergyLine } from './days-task.ts'
import type { InvoiceRecord } from './find.ts'
import { cellsOf, partsOf, producerNames, type Reach } from './line-days.ts'

type Part = ReturnType<typeof partsOf>[number]
const pointOf = (producer: string) => producer.split('@')[0] ?? producer

/** The runs that the document names for the day, then any other that gave it: a line may take back what an older one said. */
async function runsOn(db: Db, { companyId, operationId, snapshot }: InvoiceRecord, day: string): Promise<string[]> {
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

async function meterOf(db: Db, companyId: number, prm: string): Promise<string | undefined> {
  const own = and(eq(points.companyId, companyId), eq(points.prm, prm), eq(points.direction, 'consumption'))
  const [row] = await db.select({ id: points.id }).from(points).where(own)
  return row?.id
}

/** What each step gave to a cell of the line: its producer, in its hours. */
const energiesOf = ({ steps }: PairSteps, part: Part): number[] =>
  steps.map(({ timeClass, from }) =>
    timeClass === part.class ? (from.find(({ producerId }) => producerId === pointOf(part.producer))?.energy ?? 0) : 0,
  )
const sum = (figures: number[]) => figures.reduce((all, figure) => all + figure, 0)

/** Whether these steps are those the cell was made of; the distributor's quantity is spread in proportion to ours. */
function isBehind(found: PairSteps, part: Part, { source }: EnergyLine): boolean {
  const energy = sum(energiesOf(found, part))
  if (source === 'distributor') return energy > 0
  return compare(ratio(BigInt(energy), 1n), readRatio(part.wattMinutes)) === 0
}

async function stepsBehind(db: Db, invoice: InvoiceRecord, line: EnergyLine, parts: Part[], day: string) {
  const { companyId } = invoice
  const pointId = await meterOf(db, companyId, line.prm)
  if (!pointId) return undefined
  for (const id of await runsOn(db, invoice, day)) {
    const run = await findRun(db, companyId, id)
    const found = run && (await pairSteps(db, run, day, pointId))
    if (found && parts.every((part) => isBehind(found, part, line))) return found
  }
  return undefined
}

/** Each cell of the day over its steps: they sum to the day as the line shows it. */
function itemsOf(found: PairSteps, parts: Part[], names: ReadonlyMap<string, string>): LineStep[] {
  const shares = parts.map((part) => {
    const energies = energiesOf(found, part)
    const weights = energies.map((energy) => ratio(BigInt(energy), 1n))
    const name = names.get(part.producer) ?? ''
    return { energies, name, wh: shareOut(part.wh, weights), amounts: shareOut(part.amount, weights) }
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

/** The steps behind a day of a line, from the run that gave it; none where it is not kept any more. */
export async function stepsOfLine(reach: Reach, invoice: InvoiceRecord, at: number, day: string) {
  const line = invoice.snapshot.lines[at]
  if (line?.kind !== 'energy' || day < line.from || addDays(day, 1) > line.to) throw new AppError('not-found')
  const parts = partsOf(line, await cellsOf(reach, invoice, line)).filter((part) => part.day === day)
  const found = parts.length > 0 ? await stepsBehind(reach.db, invoice, line, parts, day) : undefined
  const names = await producerNames(
    reach.db,
    invoice.companyId,
    parts.map(({ producer }) => producer),
  )
  return {
    items: found ? itemsOf(found, parts, names) : [],
    minutes: found?.step ?? 15,
    wh: sum(parts.map(({ wh }) => wh)),
    amount: sum(parts.map(({ amount }) => amount)),
    key: found?.key ?? null,
  }
}
