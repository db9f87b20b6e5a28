import { daysBetween } from '@voisol/energy/calendar'
import { documentName, joinDocuments } from '@voisol/money/document'
import { and, eq, gt, inArray, lte } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, invoices } from '../../../db/schema/index.ts'
import type { MonthRow } from '../billing/billing.ts'
import type { Standing } from './judge.ts'

type Span = { from: string; to: string }

/** The days of the invoices that closes were issued with, the shortest first: a month, or the 2, 3, 6 or 12 that were joined. */
async function spansOf(db: Db, { companyId, operationId }: MonthRow, within: Span): Promise<Span[]> {
  const spans = await db
    .selectDistinct({ from: invoices.from, to: invoices.to })
    .from(invoices)
    .innerJoin(
      billingComputations,
      and(eq(billingComputations.companyId, invoices.companyId), eq(billingComputations.id, invoices.computationId)),
    )
    .where(
      and(
        eq(invoices.companyId, companyId),
        eq(invoices.operationId, operationId),
        // A close, not a correction: those are of what they correct.
        eq(billingComputations.number, 1),
        lte(invoices.from, within.to),
        gt(invoices.to, within.from),
      ),
    )
  return spans.sort((a, b) => daysBetween(a.from, a.to) - daysBetween(b.from, b.to))
}

const holds = ({ from, to }: Span, month: string) => from <= month && month < to

/** The months that stand on one invoice with this one, the first one first: itself alone where it was invoiced by itself. */
export async function joinedWith(db: Db, row: MonthRow): Promise<MonthRow[]> {
  const [own] = await spansOf(db, row, { from: row.month, to: row.month })
  if (!own) return [row]
  const rows = await db
    .select()
    .from(billingMonths)
    .where(
      and(
        eq(billingMonths.companyId, row.companyId),
        eq(billingMonths.operationId, row.operationId),
        eq(billingMonths.status, 'issued'),
        inArray(billingMonths.month, monthsIn(own)),
      ),
    )
    .orderBy(billingMonths.month)
  const spans = await spansOf(db, row, own)
  // One that was invoiced before the others, on its own, has the shorter span.
  return rows.filter(({ month }) => spans.find((span) => holds(span, month))?.from === own.from)
}

function monthsIn({ from, to }: Span): string[] {
  const months: string[] = []
  for (let day = Temporal.PlainDate.from(from); `${day}` < to; day = day.add({ months: 1 })) months.push(`${day}`)
  return months
}

/** Months of one invoice as the one document they are: its tax is that of the sum (money.md §5.1, §6.3). */
export function joined(parts: readonly Standing[]): Pick<Standing, 'standing' | 'clean'> {
  const join = (which: 'standing' | 'clean') => {
    const all = parts.flatMap((part) => part[which])
    return [...Map.groupBy(all, documentName).values()].flatMap((own) => joinDocuments(own) ?? [])
  }
  return { standing: join('standing'), clean: join('clean') }
}
