import type { CheckItem } from '@voisol/contract/billing'
import { addDays } from '@voisol/energy/calendar'
import type { Issue } from '@voisol/money/issues'
import { heldOver, loadKeys } from '../../../core/key-versions.ts'
import type { Db } from '../../../db/client.ts'
import { plural } from '../../../french.ts'
import { monthVerdict } from '../../distributor/reconciliation/reconciliation.ts'
import { partyIssues, sellersOf, termsOf } from '../parties/parties.ts'
import { priceIssues } from '../tariffs/tariffs.ts'
import type { Computation, Wanted } from './computed.ts'
import { figureItems, keyItem, runItems } from './data-items.ts'
import { elsewhereItems } from './elsewhere.ts'
import { issueItem, placesOf } from './issue-words.ts'
import { namesOf } from './names.ts'
import { noticeItem } from './notice-words.ts'

/** Everything that stands in the way of a close, or deserves a look before it, each with where it is settled. */
export async function checklistOf(db: Db, wanted: Wanted, computation: Computation): Promise<CheckItem[]> {
  const { companyId, operationId } = wanted
  const { quantities, outcome } = computation
  const sources = outcome.ok ? [...outcome.month.sources] : []
  const theirs = new Set(sources.filter(([, source]) => source === 'distributor').map(([prm]) => prm))
  const allTheirs = sources.length > 0 && theirs.size === sources.length
  const keys = heldOver(await loadKeys(db, companyId, operationId), quantities.period.from, quantities.period.to)
  const prices = await priceItems(db, wanted, computation)
  const runs = runItems(operationId, computation, allTheirs)
  const told = [...prices, ...runs].filter(({ level }) => level === 'blocking').map(({ code }) => code)
  return [
    ...(await elsewhereItems(db, companyId, operationId, quantities.period.from)),
    ...runs,
    ...figureItems(operationId, quantities, theirs),
    keyItem(operationId, quantities, keys),
    ...prices,
    ...(await partyItems(db, wanted, computation)),
    ...(await verdictItems(db, wanted, quantities.period.from)),
    ...(await outcomeItems(db, wanted, computation, new Set(told))),
  ]
}

async function priceItems(db: Db, { companyId, operationId, acceptLastIndex }: Wanted, { quantities }: Computation) {
  const found = await priceIssues(db, companyId, operationId, quantities.period)
  // Accepted, it is the rules of money that say what was taken instead.
  const items: CheckItem[] = found.filter(({ code }) => !(acceptLastIndex && code === 'indexMissing'))
  if (items.some(({ level }) => level === 'blocking')) return items
  const href = `/advanced-billing?tab=tarifs&operation=${operationId}`
  return [
    { code: 'tariff', level: 'ok' as const, sentence: 'Un tarif adopté vaut chaque jour du mois.', href },
    ...items,
  ]
}

async function partyItems(
  db: Db,
  { companyId, operationId }: Wanted,
  { input, outcome, quantities }: Computation,
): Promise<CheckItem[]> {
  const documents = outcome.ok ? outcome.month.documents : undefined
  const sellerIds = documents ? documents.map(({ seller }) => seller) : input.sellers.map(({ id }) => id)
  const buyerIds = documents ? documents.map(({ buyer }) => buyer) : input.members.map(({ buyer }) => buyer)
  const { patrimonial } = await termsOf(db, companyId, operationId)
  const found = await partyIssues(db, companyId, { sellerIds, buyerIds, day: addDays(quantities.period.to, -1) })
  const items = found
    // What is told and not sold needs nobody's mandate.
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

/** Differences with the distributor that nobody has explained yet. */
async function verdictItems(db: Db, { companyId, operationId }: Wanted, month: string): Promise<CheckItem[]> {
  const verdict = await monthVerdict(db, companyId, operationId, month)
  const href = `/acc-operations/${operationId}?onglet=distributeur`
  if (!verdict || verdict.verdict === 'nothing-to-compare') return []
  const open = verdict.unexplained + verdict.mistaken
  if (!open)
    return [{ code: 'reconciliation', level: 'ok', sentence: 'Aucun écart inexpliqué avec le distributeur.', href }]
  const sentence = `${plural(open, 'compteur a', 'compteurs ont')} un écart inexpliqué avec le distributeur, ou une erreur de sa part.`
  return [{ code: 'reconciliation', level: 'warning', sentence, href }]
}

/** Told already by the prices, with their days and names. */
const TOLD: Partial<Record<Issue['code'], string[]>> = {
  noRule: ['noRule', 'noTariff'],
  indexNotPublished: ['indexMissing'],
}
/** The same by the parties' own list. */
const BY_PARTIES = new Set<Issue['code']>(['noVatMode'])

async function outcomeItems(db: Db, { companyId, operationId }: Wanted, computation: Computation, told: Set<string>) {
  const { outcome } = computation
  const sellers = new Map((await sellersOf(db, companyId)).map(({ id, name }) => [id, name]))
  const names = namesOf(computation, sellers)
  const places = placesOf(operationId)
  if (!outcome.ok)
    return outcome.issues
      .filter(({ code }) => !BY_PARTIES.has(code) && !TOLD[code]?.some((other) => told.has(other)))
      .map((issue) => issueItem(issue, names, places))
  const items = outcome.month.notices.flatMap((notice) => noticeItem(notice, names, places))
  // Of days that were never computed that line has said enough.
  if (outcome.month.documents.length || told.has('daysWithoutRun')) return items
  const sentence = 'Rien n’est à facturer ce mois-là\u00a0: aucune énergie partagée et aucun frais.'
  return [...items, { code: 'nothing', level: 'blocking' as const, sentence, href: null }]
}
