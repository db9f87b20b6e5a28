import type { LineDay } from '@voisol/contract/invoice-views'
import { apportionByExactWeight, type LineCell } from '@voisol/money/open-line'
import { addRatios, compareRatios, formatRatio, parseRatio, type Ratio, ZERO } from '@voisol/money/ratio'
import { and, desc, eq, inArray, or } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, points } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import type { SnapshotEnergyLine } from './days-task.ts'
import type { InvoiceRecord } from './find.ts'

export type LineDetailDeps = Pick<Deps, 'db' | 'compute'>

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

export async function loadLineCells(
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
export async function loadProducerNames(db: Db, companyId: number, ids: string[]): Promise<Map<string, string>> {
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
export function distributeLine({ wh, net }: Pick<SnapshotEnergyLine, 'wh' | 'net'>, cells: readonly LineCell[]) {
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
