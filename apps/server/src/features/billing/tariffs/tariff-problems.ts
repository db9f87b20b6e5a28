import type { TariffRule } from '@voisol/contract/tariff-terms'
import type { TariffProblem } from '@voisol/contract/tariffs'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { findTiedRules } from '@voisol/money/pricing-rules'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buyerGroups, participants, points, priceIndexes } from '../../../db/schema/index.ts'
import { loadOperationTerms } from '../parties/index.ts'
import { buildRetroactiveMessage, findClosedMonthsIn, loadClosedMonthPeriods } from './closed-months.ts'
import { getTariffPeriod, type IndexTable, loadIndexTable, type TariffVersionRow } from './operation-prices.ts'
import {
  buildPriceMatrix,
  computePriceCell,
  formatPricePerKwh,
  loadMarket,
  type Market,
  USUAL_PRICE_RANGE,
} from './price-matrix.ts'

type ReferenceKind = 'buyer' | 'group' | 'producer' | 'index'
/** A reference of a rule that the company does not have. */
type UnknownReference = { at: number; field: string; message: string }

const REFERENCE_LABELS: Record<ReferenceKind, string> = {
  buyer: 'un acheteur qui n’existe pas',
  group: 'un groupe qui n’existe pas',
  producer: 'un point de production qui n’existe pas',
  index: 'un indice qui n’existe pas',
}
const RULE_FIELDS: Record<ReferenceKind, string> = {
  buyer: 'buyer',
  group: 'group',
  producer: 'producer',
  index: 'index.indexId',
}

async function loadKnownIds(db: Db, companyId: number, kind: ReferenceKind, ids: string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const table = { buyer: participants, group: buyerGroups, producer: points, index: priceIndexes }[kind]
  const side = kind === 'producer' ? eq(points.direction, 'production') : undefined
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.companyId, companyId), inArray(table.id, ids), side))
  return new Set(rows.map(({ id }) => id))
}

const getReferencedId = (rule: TariffRule, kind: ReferenceKind) => (kind === 'index' ? rule.index?.indexId : rule[kind])

/** Every buyer, group, point and index named must belong to the company. */
export async function findUnknownReferences(
  db: Db,
  companyId: number,
  rules: readonly TariffRule[],
): Promise<UnknownReference[]> {
  const unknown: UnknownReference[] = []
  for (const kind of ['buyer', 'group', 'producer', 'index'] as const) {
    const ids = [...new Set(rules.flatMap((rule) => getReferencedId(rule, kind) ?? []))]
    const knownIds = await loadKnownIds(db, companyId, kind, ids)
    for (const [at, rule] of rules.entries()) {
      const id = getReferencedId(rule, kind)
      if (id !== undefined && !knownIds.has(id))
        unknown.push({ at, field: RULE_FIELDS[kind], message: `La règle ${at + 1} nomme ${REFERENCE_LABELS[kind]}.` })
    }
  }
  return unknown.sort((a, b) => a.at - b.at)
}

type CheckedTariff = Pick<TariffVersionRow, 'id' | 'companyId' | 'operationId' | 'startsOn' | 'rules'>
type PriceBounds = { supplierPrice: number | null; surplusPrice: number | null }

const buildRefusal = (message: string, rule: number | null = null): TariffProblem => ({
  severity: 'refused',
  message,
  rule,
})
const buildReasonRequired = (message: string): TariffProblem => ({ severity: 'reason', message, rule: null })
const buildWarning = (message: string, rule: number | null = null): TariffProblem => ({
  severity: 'warning',
  message,
  rule,
})

/** Problems of the rules alone: ambiguous, or without a defined price. */
function checkRules(rules: readonly TariffRule[]): TariffProblem[] {
  if (!rules.length) return [buildRefusal('Ce tarif n’a aucune règle\u00a0: donnez au moins un prix.')]
  const rulesByPosition = rules.map(({ label: _, index: _index, ...rule }, at) => ({ ...rule, id: String(at) }))
  const ambiguousRules = findTiedRules(rulesByPosition).map(([a, b]) =>
    buildRefusal(
      `Les règles ${Number(a.id) + 1} et ${Number(b.id) + 1} valent pour exactement les mêmes ventes\u00a0: rien ne dit laquelle s’applique.`,
      Number(b.id),
    ),
  )
  const bounds = rules.flatMap(({ index }, at) => [
    ...(index?.floor !== undefined && index.cap !== undefined && index.floor > index.cap
      ? [buildRefusal(`La règle ${at + 1} a un plancher au-dessus de son plafond.`, at)]
      : []),
    ...(index && !/[1-9]/.test(index.base)
      ? [
          buildRefusal(
            `La règle ${at + 1} part d’un indice de zéro\u00a0: sa valeur de départ doit être plus grande que zéro.`,
            at,
          ),
        ]
      : []),
  ])
  return [...ambiguousRules, ...bounds]
}

/** Problems of the start day: billed months need a reason, and a day has one version. */
async function checkStartDay(
  db: Db,
  tariff: CheckedTariff,
  all: readonly TariffVersionRow[],
): Promise<TariffProblem[]> {
  const { companyId, operationId, startsOn } = tariff
  const months = findClosedMonthsIn(
    await loadClosedMonthPeriods(db, companyId, operationId),
    getTariffPeriod(tariff, all),
  )
  const same = all.find((other) => other.status === 'adopted' && other.id !== tariff.id && other.startsOn === startsOn)
  return [
    ...(months.length ? [buildReasonRequired(buildRetroactiveMessage(months, startsOn))] : []),
    ...(same
      ? [
          buildRefusal(
            `La version ${same.number}, adoptée, commence déjà le ${formatFrenchDay(startsOn)}\u00a0: choisissez un autre jour.`,
          ),
        ]
      : []),
  ]
}

/** A zero price is deliberate for a named buyer or group; for everybody it is probably a mistake. */
const isSocial = ({ price, buyer, group }: TariffRule) => price === 0 && (buyer !== undefined || group !== undefined)

export function findPriceDoubts(
  rule: TariffRule,
  price: number,
  { supplierPrice, surplusPrice }: PriceBounds,
): string[] {
  if (isSocial(rule)) return []
  const priceText = formatPricePerKwh(price)
  return [
    ...(price < USUAL_PRICE_RANGE.least || price > USUAL_PRICE_RANGE.most
      ? [
          `${priceText} est inhabituel\u00a0: un prix se situe d’ordinaire entre ${USUAL_PRICE_RANGE.least / 100} et ${USUAL_PRICE_RANGE.most / 100} c€/kWh.`,
        ]
      : []),
    ...(supplierPrice !== null && price > supplierPrice
      ? [
          `${priceText} dépasse le prix du fournisseur (${formatPricePerKwh(supplierPrice)})\u00a0: l’énergie locale coûterait plus cher.`,
        ]
      : []),
    ...(surplusPrice !== null && price < surplusPrice
      ? [
          `${priceText} est en dessous de la valeur du surplus (${formatPricePerKwh(surplusPrice)})\u00a0: le producteur y perdrait.`,
        ]
      : []),
  ]
}

function checkRulePrices(tariff: CheckedTariff, indexes: IndexTable, bounds: PriceBounds): TariffProblem[] {
  return tariff.rules.flatMap((rule, at) => {
    const { price, missing } = computePriceCell(rule, indexes, tariff.startsOn)
    if (price === null)
      return [buildWarning(`Règle ${at + 1}, le ${formatFrenchDay(tariff.startsOn)}\u00a0: ${missing}`, at)]
    return findPriceDoubts(rule, price, bounds).map((doubt) => buildWarning(`Règle ${at + 1}\u00a0: ${doubt}`, at))
  })
}

/** Rules that refer to nobody present from the first day, and sales without a price. */
function checkCoverage(tariff: CheckedTariff, market: Market, indexes: IndexTable): TariffProblem[] {
  const { members } = market
  const buyers = new Set(members.filter((m) => m.direction === 'consumption').map(({ holderId }) => holderId))
  const producers = new Set(members.filter((m) => m.direction === 'production').map(({ pointId }) => pointId))
  const rulesWithoutEffect = tariff.rules.flatMap(({ buyer, producer }, at) => [
    ...(buyer !== undefined && !buyers.has(buyer)
      ? [buildWarning(`La règle ${at + 1} nomme un acheteur qui ne participe pas à l’opération.`, at)]
      : []),
    ...(producer !== undefined && !producers.has(producer)
      ? [buildWarning(`La règle ${at + 1} nomme un producteur qui ne participe pas à l’opération.`, at)]
      : []),
  ])
  const effectiveTariff = { id: null, number: null, from: tariff.startsOn, to: null, rules: tariff.rules }
  const { rows, cells } = buildPriceMatrix([effectiveTariff], market, indexes, tariff.startsOn)
  const unpricedRows = rows.filter((_, at) => cells[at]?.some(({ rule }) => rule === null))
  return [
    ...rulesWithoutEffect,
    ...(unpricedRows.length && tariff.rules.length
      ? [
          buildWarning(
            `Certaines ventes restent sans prix pour\u00a0: ${unpricedRows.map(({ name }) => name).join(', ')}. La clôture sera refusée.`,
          ),
        ]
      : []),
  ]
}

/** Everything that blocks adopting a tariff, and what should be checked first. */
export async function loadTariffProblems(
  db: Db,
  tariff: CheckedTariff,
  all: readonly TariffVersionRow[],
): Promise<TariffProblem[]> {
  const { companyId, operationId, startsOn, rules } = tariff
  const indexes = await loadIndexTable(db, companyId)
  const market = await loadMarket(db, companyId, operationId, { from: startsOn, to: null })
  const unknownReferences = await findUnknownReferences(db, companyId, rules)
  const problems = [
    ...checkRules(rules),
    ...unknownReferences.map(({ at, message }) => buildRefusal(message, at)),
    ...(await checkStartDay(db, tariff, all)),
  ]
  // Prices of ambiguous rules or unknown references are not checked.
  return unknownReferences.length
    ? problems
    : [
        ...problems,
        ...checkRulePrices(tariff, indexes, await loadOperationTerms(db, companyId, operationId)),
        ...checkCoverage(tariff, market, indexes),
      ]
}
