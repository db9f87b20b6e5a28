import { daysBetween } from '@voisol/energy/calendar'
import { getDocumentKey, joinDocuments } from '@voisol/money/document'
import { and, eq, gt, inArray, lte } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, invoices } from '../../../db/schema/index.ts'
import type { ClosedMonthRow } from '../billing/billing.ts'
import type { MonthComparison } from './judge.ts'

type DateRange = { from: string; to: string }

/** The days of the invoices that closes were issued with, the shortest first: a month, or the 2, 3, 6 or 12 that were joined. */
async function loadInvoicePeriods(
  db: Db,
  { companyId, operationId }: ClosedMonthRow,
  range: DateRange,
): Promise<DateRange[]> {
  const periods = await db
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
        lte(invoices.from, range.to),
        gt(invoices.to, range.from),
      ),
    )
  return periods.sort((a, b) => daysBetween(a.from, a.to) - daysBetween(b.from, b.to))
}

const isMonthInRange = ({ from, to }: DateRange, month: string) => from <= month && month < to

/** The months that stand on one invoice with this one, the first one first: itself alone where it was invoiced by itself. */
export async function loadJoinedMonths(db: Db, row: ClosedMonthRow): Promise<ClosedMonthRow[]> {
  const [own] = await loadInvoicePeriods(db, row, { from: row.month, to: row.month })
  if (!own) return [row]
  const rows = await db
    .select()
    .from(billingMonths)
    .where(
      and(
        eq(billingMonths.companyId, row.companyId),
        eq(billingMonths.operationId, row.operationId),
        eq(billingMonths.status, 'issued'),
        inArray(billingMonths.month, listMonthStarts(own)),
      ),
    )
    .orderBy(billingMonths.month)
  const invoicePeriods = await loadInvoicePeriods(db, row, own)
  // One that was invoiced before the others, on its own, has the shorter span.
  return rows.filter(({ month }) => invoicePeriods.find((span) => isMonthInRange(span, month))?.from === own.from)
}

function listMonthStarts({ from, to }: DateRange): string[] {
  const months: string[] = []
  for (let day = Temporal.PlainDate.from(from); `${day}` < to; day = day.add({ months: 1 })) months.push(`${day}`)
  return months
}

/** Months of one invoice as the one document they are: its tax is that of the sum (money.md §5.1, §6.3). */
export function joinMonths(parts: readonly MonthComparison[]): Pick<MonthComparison, 'standing' | 'clean'> {
  const join = (which: 'standing' | 'clean') => {
    const all = parts.flatMap((part) => part[which])
    return [...Map.groupBy(all, getDocumentKey).values()].flatMap((own) => joinDocuments(own) ?? [])
  }
  return { standing: join('standing'), clean: join('clean') }
}
