import { monthPeriod, overlap, type Span } from '@voisol/money/days'
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingMonths } from '../../../db/schema/index.ts'
import { frenchDay, frenchMonth, ofMonth } from '../../../french.ts'

export type ClosedMonth = { from: string; to: string }

/** The closed months of an operation, the first one first. */
export async function closedMonths(db: Db, companyId: number, operationId: string): Promise<ClosedMonth[]> {
  const rows = await db
    .select({ month: billingMonths.month })
    .from(billingMonths)
    .where(and(eq(billingMonths.companyId, companyId), eq(billingMonths.operationId, operationId)))
    .orderBy(asc(billingMonths.month))
  return rows.map(({ month }) => monthPeriod(month.slice(0, 7)))
}

export const closedWithin = (closed: readonly ClosedMonth[], span: Span): ClosedMonth[] =>
  closed.filter((month) => overlap(month, span))

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** « Mars 2026 est clôturé », « 3 mois sont clôturés, de mars 2026 à mai 2026 ». */
function closedWords(months: readonly ClosedMonth[]): string {
  const [first, last] = [months[0]?.from ?? '', months.at(-1)?.from ?? '']
  if (months.length < 2) return `${capital(frenchMonth(first))} est clôturé`
  return `${months.length} mois sont clôturés, ${ofMonth(first)} à ${frenchMonth(last)}`
}

/** Why something may not begin, change or go: what is billed is never touched. */
export const closedSentence = (months: readonly ClosedMonth[], what: string): string =>
  `${closedWords(months)}\u00a0: ${what} Un mois facturé se corrige par une régularisation.`

/** What a tariff of a past day does to them: it is adopted with a reason, and what was billed is put right. */
export const retroactiveSentence = (months: readonly ClosedMonth[], startsOn: string): string =>
  `${closedWords(months)}\u00a0: un tarif du ${frenchDay(startsOn)} en change les prix. Son adoption demande une raison, et ce qui est facturé sera régularisé.`
