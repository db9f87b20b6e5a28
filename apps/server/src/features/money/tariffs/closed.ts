import { arePeriodsOverlapping, getMonthPeriod, type ValidityPeriod } from '@voisol/money/days'
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingMonths } from '../../../db/schema/index.ts'
import { formatFrenchDay, formatFrenchMonth, formatMonthWithDe } from '../../../french.ts'

export type ClosedMonthPeriod = { from: string; to: string }

/** The closed months of an operation, oldest first. */
export async function loadClosedMonthPeriods(
  db: Db,
  companyId: number,
  operationId: string,
): Promise<ClosedMonthPeriod[]> {
  const rows = await db
    .select({ month: billingMonths.month })
    .from(billingMonths)
    .where(and(eq(billingMonths.companyId, companyId), eq(billingMonths.operationId, operationId)))
    .orderBy(asc(billingMonths.month))
  return rows.map(({ month }) => getMonthPeriod(month.slice(0, 7)))
}

export const findClosedMonthsIn = (closed: readonly ClosedMonthPeriod[], range: ValidityPeriod): ClosedMonthPeriod[] =>
  closed.filter((month) => arePeriodsOverlapping(month, range))

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** « Mars 2026 est clôturé », « 3 mois sont clôturés, de mars 2026 à mai 2026 ». */
function describeClosedMonths(months: readonly ClosedMonthPeriod[]): string {
  const [first, last] = [months[0]?.from ?? '', months.at(-1)?.from ?? '']
  if (months.length < 2) return `${capitalize(formatFrenchMonth(first))} est clôturé`
  return `${months.length} mois sont clôturés, ${formatMonthWithDe(first)} à ${formatFrenchMonth(last)}`
}

/** Why something cannot begin, change or be removed: billed months never change. */
export const buildClosedMonthsMessage = (months: readonly ClosedMonthPeriod[], what: string): string =>
  `${describeClosedMonths(months)}\u00a0: ${what} Un mois facturé se corrige par une régularisation.`

/** The effect of a tariff in the past on closed months: it needs a reason, and billed months get corrections. */
export const buildRetroactiveMessage = (months: readonly ClosedMonthPeriod[], startsOn: string): string =>
  `${describeClosedMonths(months)}\u00a0: un tarif du ${formatFrenchDay(startsOn)} en change les prix. Son adoption demande une raison, et ce qui est facturé sera régularisé.`
