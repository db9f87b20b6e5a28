import type { TariffRule } from '@voisol/contract/tariff-rule'
import type { TariffProblem } from '@voisol/contract/tariffs'
import { tiedRules } from '@voisol/money/rules'
import type { Db } from '../../../db/client.ts'
import { frenchDay } from '../../../french.ts'
import { termsOf } from '../parties/parties.ts'
import { closedMonths, closedWithin, retroactiveSentence } from './closed.ts'
import { type IndexTable, indexTable } from './index-table.ts'
import { type Market, marketOf } from './market.ts'
import { matrixOf, priced } from './matrix.ts'
import type { Version } from './prices.ts'
import { lostIn } from './references.ts'
import { spanOf } from './span.ts'
import { priceWords, USUAL } from './words.ts'

type Wanted = Pick<Version, 'id' | 'companyId' | 'operationId' | 'startsOn' | 'rules'>
type Bounds = { supplierPrice: number | null; surplusPrice: number | null }

const refused = (message: string, rule: number | null = null): TariffProblem => ({ severity: 'refused', message, rule })
const needsReason = (message: string): TariffProblem => ({ severity: 'reason', message, rule: null })
const warning = (message: string, rule: number | null = null): TariffProblem => ({ severity: 'warning', message, rule })

/** What of the list itself leaves open which rule holds, or what it asks. */
function listProblems(rules: readonly TariffRule[]): TariffProblem[] {
  if (!rules.length) return [refused('Ce tarif n’a aucune règle\u00a0: donnez au moins un prix.')]
  const placed = rules.map(({ label: _, index: _index, ...rule }, at) => ({ ...rule, id: String(at) }))
  const tied = tiedRules(placed).map(([a, b]) =>
    refused(
      `Les règles ${Number(a.id) + 1} et ${Number(b.id) + 1} valent pour exactement les mêmes ventes\u00a0: rien ne dit laquelle s’applique.`,
      Number(b.id),
    ),
  )
  const bounds = rules.flatMap(({ index }, at) => [
    ...(index?.floor !== undefined && index.cap !== undefined && index.floor > index.cap
      ? [refused(`La règle ${at + 1} a un plancher au-dessus de son plafond.`, at)]
      : []),
    ...(index && !/[1-9]/.test(index.base)
      ? [
          refused(
            `La règle ${at + 1} part d’un indice de zéro\u00a0: sa valeur de départ doit être plus grande que zéro.`,
            at,
          ),
        ]
      : []),
  ])
  return [...tied, ...bounds]
}

/** When it begins: what is billed is put right only for a reason, and one day has one version. */
async function dayProblems(db: Db, wanted: Wanted, all: readonly Version[]): Promise<TariffProblem[]> {
  const { companyId, operationId, startsOn } = wanted
  const months = closedWithin(await closedMonths(db, companyId, operationId), spanOf(wanted, all))
  const same = all.find((other) => other.status === 'adopted' && other.id !== wanted.id && other.startsOn === startsOn)
  return [
    ...(months.length ? [needsReason(retroactiveSentence(months, startsOn))] : []),
    ...(same
      ? [
          refused(
            `La version ${same.number}, adoptée, commence déjà le ${frenchDay(startsOn)}\u00a0: choisissez un autre jour.`,
          ),
        ]
      : []),
  ]
}

/** A free price is meant where it is somebody's own; for everybody it is rather a slip. */
const isSocial = ({ price, buyer, group }: TariffRule) => price === 0 && (buyer !== undefined || group !== undefined)

export function priceDoubts(rule: TariffRule, price: number, { supplierPrice, surplusPrice }: Bounds): string[] {
  if (isSocial(rule)) return []
  const asked = priceWords(price)
  return [
    ...(price < USUAL.least || price > USUAL.most
      ? [
          `${asked} est inhabituel\u00a0: un prix se situe d’ordinaire entre ${USUAL.least / 100} et ${USUAL.most / 100} c€/kWh.`,
        ]
      : []),
    ...(supplierPrice !== null && price > supplierPrice
      ? [
          `${asked} dépasse le prix du fournisseur (${priceWords(supplierPrice)})\u00a0: l’énergie locale coûterait plus cher.`,
        ]
      : []),
    ...(surplusPrice !== null && price < surplusPrice
      ? [
          `${asked} est en dessous de la valeur du surplus (${priceWords(surplusPrice)})\u00a0: le producteur y perdrait.`,
        ]
      : []),
  ]
}

function ruleDoubts(wanted: Wanted, indexes: IndexTable, bounds: Bounds): TariffProblem[] {
  return wanted.rules.flatMap((rule, at) => {
    const { price, missing } = priced(rule, indexes, wanted.startsOn)
    if (price === null) return [warning(`Règle ${at + 1}, le ${frenchDay(wanted.startsOn)}\u00a0: ${missing}`, at)]
    return priceDoubts(rule, price, bounds).map((doubt) => warning(`Règle ${at + 1}\u00a0: ${doubt}`, at))
  })
}

/** Rules that name whoever takes no part from its first day on, and sales that no rule prices. */
function coverDoubts(wanted: Wanted, market: Market, indexes: IndexTable): TariffProblem[] {
  const { members } = market
  const buyers = new Set(members.filter((m) => m.direction === 'consumption').map(({ holderId }) => holderId))
  const producers = new Set(members.filter((m) => m.direction === 'production').map(({ pointId }) => pointId))
  const idle = wanted.rules.flatMap(({ buyer, producer }, at) => [
    ...(buyer !== undefined && !buyers.has(buyer)
      ? [warning(`La règle ${at + 1} nomme un acheteur qui ne participe pas à l’opération.`, at)]
      : []),
    ...(producer !== undefined && !producers.has(producer)
      ? [warning(`La règle ${at + 1} nomme un producteur qui ne participe pas à l’opération.`, at)]
      : []),
  ])
  const held = { id: null, number: null, from: wanted.startsOn, to: null, rules: wanted.rules }
  const { rows, cells } = matrixOf([held], market, indexes, wanted.startsOn)
  const bare = rows.filter((_, at) => cells[at]?.some(({ rule }) => rule === null))
  return [
    ...idle,
    ...(bare.length && wanted.rules.length
      ? [
          warning(
            `Certaines ventes restent sans prix pour\u00a0: ${bare.map(({ name }) => name).join(', ')}. La clôture sera refusée.`,
          ),
        ]
      : []),
  ]
}

/** All that stands in the way of adopting it, and what deserves a second look. */
export async function problemsOf(db: Db, wanted: Wanted, all: readonly Version[]): Promise<TariffProblem[]> {
  const { companyId, operationId, startsOn, rules } = wanted
  const indexes = await indexTable(db, companyId)
  const market = await marketOf(db, companyId, operationId, { from: startsOn, to: null })
  const lost = await lostIn(db, companyId, rules)
  const problems = [
    ...listProblems(rules),
    ...lost.map(({ at, message }) => refused(message, at)),
    ...(await dayProblems(db, wanted, all)),
  ]
  // Of rules that name nobody known, or are tied, what they would ask says nothing.
  return lost.length
    ? problems
    : [
        ...problems,
        ...ruleDoubts(wanted, indexes, await termsOf(db, companyId, operationId)),
        ...coverDoubts(wanted, market, indexes),
      ]
}
