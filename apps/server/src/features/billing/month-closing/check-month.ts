import type { BillingMonth, CheckItem, MonthCheck } from '@voisol/contract/billing'
import { addDays, listDays } from '@voisol/energy/calendar'
import { formatCount, formatFrenchDay, formatFrenchNumber, formatMonthWithDe } from '@voisol/file-formats/french'
import type { MonthIssue } from '@voisol/money/issues'
import type { OperationRow } from '../../../core/access-scopes.ts'
import { getEffectiveKeys, loadKeys } from '../../../core/allocation-keys.ts'
import type { Db } from '../../../db/client.ts'
import { getToday, toParisDay } from '../../../today.ts'
import { loadMonthVerdict } from '../../enedis/reconciliation/index.ts'
import { loadUnsentDocumentIds } from '../invoices/index.ts'
import { loadOperationTerms, loadPartyIssues, loadSellers } from '../parties/index.ts'
import type { MonthQuantities } from '../quantities/index.ts'
import { loadPriceIssues } from '../tariffs/index.ts'
import { buildFixLinks, buildMonthNames, toBlockingItem, toWarningItems } from './checklist-messages.ts'
import type { MonthComputation, MonthRequest } from './compute-month.ts'
import { computeMonthTotals } from './month-totals.ts'
import {
  BILLED_ELSEWHERE,
  type ClosedMonthRow,
  countDocumentsBilledElsewhere,
  loadComputation,
  toStoredOutcome,
} from './stored-months.ts'

export const isBlocking = ({ level }: CheckItem) => level === 'blocking'
/** A warning, other than advice, needs a reason to close the month. */
export const isReservation = ({ level, advice }: CheckItem) => level === 'warning' && !advice

/** Summarises the blocking items in one sentence. */
function summarizeBlockingItems(items: CheckItem[]): string {
  const [first, ...others] = items.filter(isBlocking)
  if (!first) return ''
  return others.length
    ? `${first.sentence} Et ${others.length === 1 ? 'un autre point' : `${others.length} autres points`} à régler.`
    : first.sentence
}

const NOT_CLOSED = { closedAt: null, closedBy: '', reason: '', issuedAt: null, issuedBy: '' }

/** The check of an open month: its checklist, and the totals it would have if closed now. */
export async function checkOpenMonth(
  db: Db,
  operation: OperationRow,
  wanted: MonthRequest,
  computation: MonthComputation,
): Promise<MonthCheck> {
  const items = await loadChecklist(db, wanted, computation)
  const { outcome, daily, input } = computation
  const canClose = !items.some(isBlocking)
  return {
    operationId: operation.id,
    operation: operation.name,
    month: wanted.month,
    state: items.some(({ code }) => code === BILLED_ELSEWHERE) ? 'elsewhere' : canClose ? 'ready' : 'open',
    totals: outcome.ok ? computeMonthTotals({ input, outcome: toStoredOutcome(outcome.month, daily) }) : null,
    missing: summarizeBlockingItems(items),
    ...NOT_CLOSED,
    items,
    canClose,
    needsReason: items.some(isReservation),
  }
}

export const toClosedMonth = (row: ClosedMonthRow, totals: BillingMonth['totals']): BillingMonth => ({
  month: row.month.slice(0, 7),
  // The column only stores these values.
  state: row.status as 'closed' | 'issued',
  totals,
  missing: '',
  closedAt: row.closedAt.toISOString(),
  closedBy: row.closedBy,
  reason: row.reason,
  issuedAt: row.issuedAt?.toISOString() ?? null,
  issuedBy: row.issuedBy,
})

/** A closed month is not checked again: it keeps the data it was computed from. */
export async function checkClosedMonth(db: Db, operation: OperationRow, row: ClosedMonthRow): Promise<MonthCheck> {
  const { totals } = await loadComputation(db, row)
  const sentence = `Clos le ${formatFrenchDay(toParisDay(row.closedAt))} par ${row.closedBy}\u00a0: ses quantités ne changent plus.`
  return {
    ...toClosedMonth(row, totals),
    operationId: operation.id,
    operation: operation.name,
    items: [{ code: 'closed', level: 'ok', sentence, href: null }],
    canClose: false,
    needsReason: false,
    ...(row.status === 'issued' && {
      unsent: (await loadUnsentDocumentIds(db, row.companyId, row.operationId, row.month.slice(0, 7))).length,
    }),
  }
}

const TAKEOVER_HREF = '/advanced-billing?tab=reprise'

/** Warns about a month that another program has billed: closing it here would invoice its energy twice. */
async function checkBilledElsewhere(
  db: Db,
  companyId: number,
  operationId: string,
  month: string,
): Promise<CheckItem[]> {
  const documents = (await countDocumentsBilledElsewhere(db, companyId, operationId)).get(month)
  if (!documents) return []
  const sentence = `Ce mois a été facturé ailleurs (${formatCount(documents, 'document repris', 'documents repris')})\u00a0: le clôturer ici facturerait la même énergie une seconde fois.`
  return [{ code: BILLED_ELSEWHERE, level: 'warning', sentence, href: TAKEOVER_HREF }]
}

/** Everything that blocks a close or should be checked before it, each with the page where it is fixed. */
async function loadChecklist(db: Db, wanted: MonthRequest, computation: MonthComputation): Promise<CheckItem[]> {
  const { companyId, operationId } = wanted
  const { quantities, outcome } = computation
  const sources = outcome.ok ? [...outcome.month.sources] : []
  const prmsBilledFromDistributor = new Set(
    sources.filter(([, source]) => source === 'distributor').map(([prm]) => prm),
  )
  const allFromDistributor = sources.length > 0 && prmsBilledFromDistributor.size === sources.length
  const keys = getEffectiveKeys(
    await loadKeys(db, companyId, operationId),
    quantities.period.from,
    quantities.period.to,
  )
  const prices = await checkPrices(db, wanted, computation)
  const runs = checkAllocationRuns(operationId, computation, allFromDistributor)
  const reportedCodes = [...prices, ...runs].filter(({ level }) => level === 'blocking').map(({ code }) => code)
  return [
    ...(await checkBilledElsewhere(db, companyId, operationId, quantities.period.from)),
    ...runs,
    ...checkFigures(operationId, quantities, prmsBilledFromDistributor),
    checkAllocationKey(operationId, quantities, keys),
    ...prices,
    ...(await checkParties(db, wanted, computation)),
    ...(await checkReconciliation(db, wanted, quantities.period.from)),
    ...(await checkOutcome(db, wanted, computation, new Set(reportedCodes))),
  ]
}

async function checkPrices(
  db: Db,
  { companyId, operationId, acceptLastIndex }: MonthRequest,
  { quantities }: MonthComputation,
) {
  const found = await loadPriceIssues(db, companyId, operationId, quantities.period)
  // Once the last index is accepted, the billing engine itself reports which value it used.
  const items: CheckItem[] = found.filter(({ code }) => !(acceptLastIndex && code === 'indexMissing'))
  if (items.some(({ level }) => level === 'blocking')) return items
  const href = `/advanced-billing?tab=tarifs&operation=${operationId}`
  return [
    { code: 'tariff', level: 'ok' as const, sentence: 'Un tarif adopté vaut chaque jour du mois.', href },
    ...items,
  ]
}

async function checkParties(
  db: Db,
  { companyId, operationId }: MonthRequest,
  { input, outcome, quantities }: MonthComputation,
): Promise<CheckItem[]> {
  const documents = outcome.ok ? outcome.month.documents : undefined
  const sellerIds = documents ? documents.map(({ seller }) => seller) : input.sellers.map(({ id }) => id)
  const buyerIds = documents ? documents.map(({ buyer }) => buyer) : input.members.map(({ buyer }) => buyer)
  const { patrimonial } = await loadOperationTerms(db, companyId, operationId)
  const found = await loadPartyIssues(db, companyId, { sellerIds, buyerIds, day: addDays(quantities.period.to, -1) })
  const items = found
    // In a patrimonial operation energy is reported and not sold, so no billing mandate is needed.
    .filter(({ code }) => !(patrimonial && code === 'seller-mandate'))
    .map(
      ({ code, level, sentence, href, advice }): CheckItem => ({
        code,
        level: level === 'error' ? 'blocking' : 'warning',
        sentence,
        href,
        ...(advice && { advice }),
      }),
    )
  if (items.some(({ level }) => level === 'blocking')) return items
  const sentence = 'Vendeurs, acheteurs et mandats sont complets.'
  return [{ code: 'parties', level: 'ok', sentence, href: '/advanced-billing?tab=sellers' }, ...items]
}

/** Differences with the distributor's quantities that nobody has explained yet. */
async function checkReconciliation(
  db: Db,
  { companyId, operationId }: MonthRequest,
  month: string,
): Promise<CheckItem[]> {
  const verdict = await loadMonthVerdict(db, companyId, operationId, month)
  const href = `/acc-operations/${operationId}?onglet=distributeur`
  if (!verdict || verdict.verdict === 'nothing-to-compare') return []
  const open = verdict.unexplained + verdict.mistaken
  if (!open)
    return [{ code: 'reconciliation', level: 'ok', sentence: 'Aucun écart inexpliqué avec le distributeur.', href }]
  const sentence = `${formatCount(open, 'compteur a', 'compteurs ont')} un écart inexpliqué avec le distributeur, ou une erreur de sa part.`
  return [{ code: 'reconciliation', level: 'warning', sentence, href }]
}

/** Issues that the price checks already report, with their days and names. */
const REPORTED_WITH_PRICES: Partial<Record<MonthIssue['code'], string[]>> = {
  noRule: ['noRule', 'noTariff'],
  indexNotPublished: ['indexMissing'],
}
/** Issues that the checks of sellers and buyers already report. */
const REPORTED_WITH_PARTIES = new Set<MonthIssue['code']>(['noVatMode'])

async function checkOutcome(
  db: Db,
  { companyId, operationId }: MonthRequest,
  computation: MonthComputation,
  reportedCodes: Set<string>,
) {
  const { outcome } = computation
  const sellers = new Map((await loadSellers(db, companyId)).map(({ id, name }) => [id, name]))
  const names = buildMonthNames(computation, sellers)
  const places = buildFixLinks(operationId)
  if (!outcome.ok)
    return outcome.issues
      .filter(
        ({ code }) =>
          !REPORTED_WITH_PARTIES.has(code) && !REPORTED_WITH_PRICES[code]?.some((other) => reportedCodes.has(other)),
      )
      .map((issue) => toBlockingItem(issue, names, places))
  const items = outcome.month.notices.flatMap((notice) => toWarningItems(notice, names, places))
  // Days that were never computed are already reported by their own item.
  if (outcome.month.documents.length || reportedCodes.has('daysWithoutRun')) return items
  const sentence = 'Rien n’est à facturer ce mois-là\u00a0: aucune énergie partagée et aucun frais.'
  return [...items, { code: 'nothing', level: 'blocking' as const, sentence, href: null }]
}

/** « le 30/10 », « du 12 au 14 et le 30 »: consecutive days are shown as one range. */
function formatDayRanges(days: string[]): string {
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
function checkAllocationRuns(
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
function checkFigures(
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
function checkAllocationKey(
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
