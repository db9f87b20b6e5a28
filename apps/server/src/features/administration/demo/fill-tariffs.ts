import { and, eq } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { buyerGroups, tariffs } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { BERGES_ID, TILLEULS_ID } from '../../../world/ids.ts'
import { buildRunningOperations } from '../../../world/plan.ts'
import { type DemoScale, getDayInMonth } from '../../../world/scale.ts'
import { loadOperationTerms } from '../../money/parties/parties.ts'
import {
  adoptTariff,
  createDiscount,
  createFee,
  createPriceIndex,
  createTariff,
  recordIndexValue,
} from '../../money/tariffs/tariffs.ts'

type TariffRules = Parameters<typeof createTariff>[3]['rules']
type TariffDraft = { label: string; startsOn: string; rules: TariffRules }
type FillContext = { tx: Db; actor: Actor; scale: DemoScale; operationId: string; startsOn: string; price: number }

const buildFlatRule = (price: number): TariffRules[number] => ({ id: 'prix', label: 'Énergie partagée', price })

async function adoptDraft({ tx, actor, operationId, startsOn: first }: FillContext, draft: TariffDraft) {
  // In a short demo some days lie before its first day.
  if (draft.startsOn < first) return
  await adoptTariff(tx, actor, await createTariff(tx, actor, operationId, draft), { version: 1 })
}

/** Social tariff rules: members who pay nothing receive a monthly energy statement and never an invoice. */
async function loadSocialRules(tx: Db, companyId: number): Promise<TariffRules> {
  const where = and(eq(buyerGroups.companyId, companyId), eq(buyerGroups.name, 'Tarif social'))
  const groups = await tx.select({ group: buyerGroups.id }).from(buyerGroups).where(where)
  return groups.map(({ group }) => ({ id: 'social', label: 'Tarif social', price: 0, group }))
}

const PRICE_BY_TIME_CLASS = [
  { name: 'HPH', more: 164 },
  { name: 'HCH', more: -52 },
  { name: 'HPB', more: 118 },
  { name: 'HCB', more: -87 },
] as const

/** A price that changes on the 15th, a membership fee and a discount that has ended. */
async function fillTilleuls(work: FillContext, social: TariffRules) {
  const { tx, actor, scale, operationId, price, startsOn } = work
  const changed = getDayInMonth(scale.anchor, -3, 15)
  await adoptDraft(work, {
    label: 'Prix de l’assemblée',
    startsOn: changed,
    rules: [buildFlatRule(price + 37), ...social],
  })
  const classes = PRICE_BY_TIME_CLASS.map(({ name, more }) => ({
    id: name,
    label: '',
    price: price + 37 + more,
    class: name,
  }))
  const draft = { label: 'Été et hiver', startsOn: getDayInMonth(scale.anchor, 2, 1), rules: [...classes, ...social] }
  await createTariff(tx, actor, operationId, draft)
  const { organiserId } = await loadOperationTerms(tx, actor.companyId, operationId)
  if (organiserId)
    await createFee(tx, actor, operationId, {
      sellerId: organiserId,
      label: 'Adhésion à l’association',
      amount: 185,
      every: 'month',
      startsOn,
      endsOn: null,
      rate: null,
      perKva: false,
      outside: false,
      groupId: null,
    })
  await createDiscount(tx, actor, operationId, {
    label: 'Remise de rentrée',
    percentBp: 250,
    amount: null,
    participantId: null,
    sellerId: null,
    startsOn: getDayInMonth(scale.anchor, -3, 1),
    endsOn: getDayInMonth(scale.anchor, -1, 1),
  })
}

const INDEX_VALUES = ['133.66', '134.58', '135.30', '135.87', '136.42', '136.95']

/** A price tied to an index whose next value is already announced. */
async function fillBerges(work: FillContext) {
  const { tx, actor, scale, price } = work
  const id = await createPriceIndex(tx, actor, { name: 'ILC', source: 'INSEE, indice des loyers commerciaux' })
  const announceValue = (months: number, value: string | null) =>
    recordIndexValue(tx, actor, id, {
      startsOn: getDayInMonth(scale.anchor, months, 1),
      value,
      source: 'Journal officiel',
    })
  for (const [at, value] of INDEX_VALUES.entries()) await announceValue(3 * at - 16, value)
  await announceValue(3 * INDEX_VALUES.length - 7, null)
  const index = { indexId: id, base: '133.66', fixedBp: 2000, cap: price + 150 }
  const startsOn = getDayInMonth(scale.anchor, -7, 1)
  await adoptDraft(work, { label: 'Indexé sur l’ILC', startsOn, rules: [{ ...buildFlatRule(price), index }] })
}

/** Creates the tariffs of every active operation in one transaction. Idempotent. */
export const fillTariffs = ({ db }: Deps, actor: Actor, scale: DemoScale) =>
  transaction(db, async (tx) => {
    const mine = eq(tariffs.companyId, actor.companyId)
    if ((await tx.select({ id: tariffs.id }).from(tariffs).where(mine).limit(1)).length) return
    for (const { values } of buildRunningOperations(scale)) {
      const startsOn = values.startsOn ?? scale.startsOn
      const work = { tx, actor, scale, operationId: values.id, startsOn, price: values.unitPrice ?? 1250 }
      const social = values.id === TILLEULS_ID ? await loadSocialRules(tx, actor.companyId) : []
      await adoptDraft(work, { label: '', startsOn, rules: [buildFlatRule(work.price), ...social] })
      if (values.id === TILLEULS_ID) await fillTilleuls(work, social)
      if (values.id === BERGES_ID) await fillBerges(work)
    }
  })
