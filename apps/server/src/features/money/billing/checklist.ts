import type { CheckItem } from '@voisol/contract/billing'
import { addDays } from '@voisol/energy/calendar'
import type { MonthIssue } from '@voisol/money/issues'
import { getEffectiveKeys, loadKeys } from '../../../core/key-versions.ts'
import type { Db } from '../../../db/client.ts'
import { formatCount } from '../../../french.ts'
import { loadMonthVerdict } from '../../distributor/reconciliation/reconciliation.ts'
import { loadOperationTerms, loadPartyIssues, loadSellers } from '../parties/parties.ts'
import { loadPriceIssues } from '../tariffs/tariffs.ts'
import type { MonthComputation, MonthRequest } from './computed.ts'
import { checkAllocationKey, checkAllocationRuns, checkFigures } from './data-items.ts'
import { checkBilledElsewhere } from './elsewhere.ts'
import { buildFixLinks, toBlockingItem } from './issue-words.ts'
import { buildMonthNames } from './names.ts'
import { toWarningItems } from './notice-words.ts'

/** Everything that blocks a close or should be checked before it, each with the page where it is fixed. */
export async function loadChecklist(db: Db, wanted: MonthRequest, computation: MonthComputation): Promise<CheckItem[]> {
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
