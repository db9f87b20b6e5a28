import { formatFrenchDay, formatFrenchMonth, formatMonthWithDe } from '@voisol/file-formats/french'
import { arePeriodsOverlapping, getMonthPeriod, intersectPeriods, type ValidityPeriod } from '@voisol/money/days'
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { billingMonths } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'

type ClosedMonthPeriod = { from: string; to: string }

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
const buildClosedMonthsMessage = (months: readonly ClosedMonthPeriod[], what: string): string =>
  `${describeClosedMonths(months)}\u00a0: ${what} Un mois facturé se corrige par une régularisation.`

/** The effect of a tariff in the past on closed months: it needs a reason, and billed months get corrections. */
export const buildRetroactiveMessage = (months: readonly ClosedMonthPeriod[], startsOn: string): string =>
  `${describeClosedMonths(months)}\u00a0: un tarif du ${formatFrenchDay(startsOn)} en change les prix. Son adoption demande une raison, et ce qui est facturé sera régularisé.`

/** The period of a fee or discount. */
type TermDates = { startsOn: string; endsOn: string | null }

const clipToMonth = (month: ClosedMonthPeriod, term: TermDates | null) =>
  term ? intersectPeriods(month, { from: term.startsOn, to: term.endsOn }) : undefined

export const isCountedInClosedMonth = (closed: readonly ClosedMonthPeriod[], term: TermDates): boolean =>
  closed.some((month) => clipToMonth(month, term) !== undefined)

/** The closed months in which other days would count. */
const findChangedMonths = (closed: readonly ClosedMonthPeriod[], before: TermDates | null, after: TermDates | null) =>
  closed.filter((month) => {
    const [was, now] = [clipToMonth(month, before), clipToMonth(month, after)]
    return was?.from !== now?.from || was?.to !== now?.to
  })

/** Something new may not apply in a closed month. */
export function requireOutsideClosedMonths(closed: readonly ClosedMonthPeriod[], term: TermDates) {
  const months = findChangedMonths(closed, null, term)
  if (months.length) throw fieldError('startsOn', buildClosedMonthsMessage(months, 'rien ne s’y ajoute.'))
}

export function requireRemovable(closed: readonly ClosedMonthPeriod[], term: TermDates) {
  const months = findChangedMonths(closed, term, null)
  if (months.length)
    throw new AppError('conflict', {
      message: buildClosedMonthsMessage(
        months,
        'ce qui y a été compté ne peut plus être supprimé. Donnez-lui plutôt une fin.',
      ),
    })
}

/** Once counted in a closed month only the end can change, and never the days of a closed month. */
export function requireChangeable<T extends TermDates>(
  closed: readonly ClosedMonthPeriod[],
  before: T,
  after: Partial<T> & TermDates,
) {
  const used = findClosedMonthsIn(closed, { from: before.startsOn, to: before.endsOn })
  const other = Object.entries(after).filter(
    ([name, value]) => name !== 'endsOn' && name !== 'version' && before[name as keyof T] !== value, // a key of both
  )
  if (used.length && other.length)
    throw new AppError('conflict', {
      message: buildClosedMonthsMessage(used, 'de ce qui y a été compté, seule la fin peut encore changer.'),
    })
  const months = findChangedMonths(closed, before, after)
  if (months.length)
    throw fieldError('endsOn', buildClosedMonthsMessage(months, 'les jours qui y sont comptés ne changent plus.'))
}
