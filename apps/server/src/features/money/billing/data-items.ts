import type { CheckItem } from '@voisol/contract/billing'
import { addDays, listDays } from '@voisol/energy/calendar'
import { formatCount, formatFrenchDay, formatFrenchNumber, formatMonthWithDe } from '../../../french.ts'
import { getToday } from '../../../today.ts'
import type { MonthQuantities } from '../quantities/quantities.ts'
import type { MonthComputation } from './computed.ts'

/** « le 30/10 », « du 12 au 14 et le 30 »: consecutive days are shown as one range. */
export function formatDayRanges(days: string[]): string {
  const spans: { from: string; to: string }[] = []
  for (const day of days) {
    const last = spans.at(-1)
    if (last && addDays(last.to, 1) === day) last.to = day
    else spans.push({ from: day, to: day })
  }
  return spans
    .map(({ from, to }) =>
      from === to ? `le ${formatFrenchDay(from)}` : `du ${formatFrenchDay(from)} au ${formatFrenchDay(to)}`,
    )
    .join(', ')
}

const allocationRunsHref = (operationId: string) => `/acc-operations/${operationId}/energy-distribution`

/** Checks that the month is over and that billable allocation runs cover every day. */
export function checkAllocationRuns(
  operationId: string,
  { quantities }: MonthComputation,
  allFromDistributor: boolean,
): CheckItem[] {
  const { period, daysWithoutRun, withoutDays, runs, unheld } = quantities
  const href = allocationRunsHref(operationId)
  const items: CheckItem[] = []
  if (period.to > getToday())
    items.push({
      code: 'notOver',
      level: 'blocking',
      sentence: `Le mois ${formatMonthWithDe(period.from)} n’est pas terminé\u00a0: il se clôt à partir du ${formatFrenchDay(period.to)}.`,
      href: null,
    })
  if (daysWithoutRun.length)
    items.push({
      code: 'daysWithoutRun',
      // When the distributor gave quantities for every meter the month can be billed without our runs, but is allocated
      // less precisely.
      level: allFromDistributor ? 'warning' : 'blocking',
      sentence: `${formatCount(daysWithoutRun.length, 'jour n’a pas', 'jours n’ont pas')} de calcul de répartition\u00a0: ${formatDayRanges(daysWithoutRun)}.`,
      href,
    })
  if (withoutDays.length)
    items.push({
      code: 'withoutDays',
      level: 'blocking',
      sentence: `${formatCount(withoutDays.length, 'calcul date', 'calculs datent')} d’avant le détail par jour\u00a0: refaites la répartition du mois.`,
      href,
    })
  if (unheld > 0)
    items.push({
      code: 'unheld',
      level: 'blocking',
      sentence: `${formatFrenchNumber(Math.round(unheld / 60) / 1000)}\u00a0kWh répartis reviennent à des compteurs que plus personne ne tient ces jours-là\u00a0: refaites la répartition.`,
      href,
    })
  const stale = runs.filter((run) => run.stale)
  for (const run of stale)
    items.push({
      code: 'staleRun',
      level: 'warning',
      sentence: `Le calcul du ${formatFrenchDay(run.from)} au ${formatFrenchDay(addDays(run.to, -1))} n’est plus à jour\u00a0: ${run.stale}`,
      href,
    })
  if (!items.length)
    items.push({
      code: 'runs',
      level: 'ok',
      sentence: 'Chaque jour du mois a son calcul de répartition, à jour.',
      href,
    })
  return items
}

/** Reports missing readings, and meters billed with the distributor's figures. */
export function checkFigures(
  operationId: string,
  quantities: MonthQuantities,
  prmsBilledFromDistributor: ReadonlySet<string>,
): CheckItem[] {
  const href = allocationRunsHref(operationId)
  const distributor = `/acc-operations/${operationId}?onglet=distributeur`
  const { excluded, provisional, members, beyond } = quantities
  const points = new Set(members.map(({ prm }) => prm))
  const unsure = provisional.filter((prm) => !prmsBilledFromDistributor.has(prm))
  const items: CheckItem[] = []
  if (excluded.steps)
    items.push({
      code: 'excluded',
      level: 'warning',
      sentence: `${formatCount(excluded.steps, 'pas de mesure manque', 'pas de mesure manquent')} (${formatCount(excluded.points, 'compteur', 'compteurs')})\u00a0: ils ne sont pas facturés, et le seront s’ils arrivent.`,
      href,
    })
  items.push(
    unsure.length
      ? {
          code: 'provisional',
          level: 'warning',
          sentence: `${formatCount(unsure.length, 'compteur repose', 'compteurs reposent')} sur un calcul provisoire\u00a0: leurs factures porteront «\u00a0provisoire, susceptible de régularisation\u00a0».`,
          href,
        }
      : { code: 'provisional', level: 'ok', sentence: 'Aucun chiffre provisoire.', href },
    {
      code: 'distributor',
      level: 'ok',
      sentence: prmsBilledFromDistributor.size
        ? `${formatCount(prmsBilledFromDistributor.size, 'compteur', 'compteurs')} sur ${points.size} ${prmsBilledFromDistributor.size < 2 ? 'est facturé' : 'sont facturés'} sur les quantités définitives du distributeur.`
        : 'Le distributeur n’a pas donné de quantités définitives pour ce mois\u00a0: nos calculs sont facturés.',
      href: distributor,
    },
  )
  for (const { prm, from, to } of beyond)
    items.push({
      code: 'rowBeyondMonth',
      level: 'warning',
      sentence: `Une quantité du distributeur du compteur ${prm} va du ${formatFrenchDay(from)} au ${formatFrenchDay(to)}\u00a0: elle dépasse le mois et n’est pas utilisée.`,
      href: distributor,
    })
  return items
}

/** Checks that an allocation key covers every day with members. */
export function checkAllocationKey(
  operationId: string,
  { members, period }: MonthQuantities,
  keyPeriods: { from: string; to: string }[],
): CheckItem {
  const daysWithMembers = listDays(period.from, period.to).filter((day) =>
    members.some(({ from, to }) => from <= day && (to === null || day < to)),
  )
  const daysWithoutKey = daysWithMembers.filter((day) => !keyPeriods.some(({ from, to }) => from <= day && day < to))
  const href = `/acc-operations/${operationId}?onglet=cles`
  return daysWithoutKey.length
    ? {
        code: 'noKey',
        level: 'blocking',
        sentence: `Aucune clé de répartition en vigueur ${formatDayRanges(daysWithoutKey)}.`,
        href,
      }
    : { code: 'key', level: 'ok', sentence: 'Une clé de répartition vaut chaque jour du mois.', href }
}
