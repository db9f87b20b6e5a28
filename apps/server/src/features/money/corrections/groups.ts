import { daysBetween } from '@voisol/energy/calendar'
import { getDocumentKey, joinDocuments } from '@voisol/money/document'
import { and, eq, gt, inArray, lte } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingComputations, billingMonths, invoices } from '../../../db/schema/index.ts'
import type { ClosedMonthRow } from '../billing/billing.ts'
import type { MonthComparison } from './judge.ts'

type DateRange = { from: string; to: string }

/** The periods of the invoices issued at close, shortest first: one month, or the 2, 3, 6 or 12 joined ones. */
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
        // Only the close: a correction has the period of what it corrects.
        eq(billingComputations.number, 1),
        lte(invoices.from, range.to),
        gt(invoices.to, range.from),
      ),
    )
  return periods.sort((a, b) => daysBetween(a.from, a.to) - daysBetween(b.from, b.to))
}

const isMonthInRange = ({ from, to }: DateRange, month: string) => from <= month && month < to

/** The months on the same invoice as this one, oldest first; only itself when it was invoiced alone. */
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
  // A month invoiced alone before the others has the shorter period.
  return rows.filter(({ month }) => invoicePeriods.find((span) => isMonthInRange(span, month))?.from === own.from)
}

function listMonthStarts({ from, to }: DateRange): string[] {
  const months: string[] = []
  for (let day = Temporal.PlainDate.from(from); `${day}` < to; day = day.add({ months: 1 })) months.push(`${day}`)
  return months
}

/** Joins the months of one invoice into one document: its VAT is computed on the sum (money.md §5.1, §6.3). */
export function joinMonths(parts: readonly MonthComparison[]): Pick<MonthComparison, 'standing' | 'clean'> {
  const join = (which: 'standing' | 'clean') => {
    const all = parts.flatMap((part) => part[which])
    return [...Map.groupBy(all, getDocumentKey).values()].flatMap((own) => joinDocuments(own) ?? [])
  }
  return { standing: join('standing'), clean: join('clean') }
}
