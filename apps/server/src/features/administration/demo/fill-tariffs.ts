import { and, eq } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { buyerGroups, tariffs } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { BERGES, TILLEULS } from '../../../world/ids.ts'
import { running } from '../../../world/plan.ts'
import { dayIn, type Scale } from '../../../world/scale.ts'
import { termsOf } from '../../money/parties/parties.ts'
import {
  adoptTariff,
  createDiscount,
  createFee,
  createIndex,
  createTariff,
  sayIndex,
} from '../../money/tariffs/tariffs.ts'

type Rules = Parameters<typeof createTariff>[3]['rules']
type Draft = { label: string; startsOn: string; rules: Rules }
type Work = { tx: Db; actor: Actor; scale: Scale; operationId: string; startsOn: string; price: number }

const flat = (price: number): Rules[number] => ({ id: 'prix', label: 'Énergie partagée', price })

async function adopt({ tx, actor, operationId, startsOn: first }: Work, draft: Draft) {
  // In a short story some days lie before its beginning.
  if (draft.startsOn < first) return
  await adoptTariff(tx, actor, await createTariff(tx, actor, operationId, draft), { version: 1 })
}

/** Those who pay nothing from the first day on: they are told their energy by a statement, and never invoiced for it. */
async function socialRules(tx: Db, companyId: number): Promise<Rules> {
  const where = and(eq(buyerGroups.companyId, companyId), eq(buyerGroups.name, 'Tarif social'))
  const groups = await tx.select({ group: buyerGroups.id }).from(buyerGroups).where(where)
  return groups.map(({ group }) => ({ id: 'social', label: 'Tarif social', price: 0, group }))
}

const HOURS = [
  { name: 'HPH', more: 164 },
  { name: 'HCH', more: -52 },
  { name: 'HPB', more: 118 },
  { name: 'HCB', more: -87 },
] as const

/** A price that changes on the 15th, a membership fee and a discount that came to an end. */
async function tilleuls(work: Work, social: Rules) {
  const { tx, actor, scale, operationId, price, startsOn } = work
  const changed = dayIn(scale.anchor, -3, 15)
  await adopt(work, { label: 'Prix de l’assemblée', startsOn: changed, rules: [flat(price + 37), ...social] })
  const classes = HOURS.map(({ name, more }) => ({ id: name, label: '', price: price + 37 + more, class: name }))
  const draft = { label: 'Été et hiver', startsOn: dayIn(scale.anchor, 2, 1), rules: [...classes, ...social] }
  await createTariff(tx, actor, operationId, draft)
  const { organiserId } = await termsOf(tx, actor.companyId, operationId)
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
    startsOn: dayIn(scale.anchor, -3, 1),
    endsOn: dayIn(scale.anchor, -1, 1),
  })
}

const VALUES = ['133.66', '134.58', '135.30', '135.87', '136.42', '136.95']

/** A price that follows an index, of which the value to come is announced. */
async function berges(work: Work) {
  const { tx, actor, scale, price } = work
  const id = await createIndex(tx, actor, { name: 'ILC', source: 'INSEE, indice des loyers commerciaux' })
  const word = (months: number, value: string | null) =>
    sayIndex(tx, actor, id, { startsOn: dayIn(scale.anchor, months, 1), value, source: 'Journal officiel' })
  for (const [at, value] of VALUES.entries()) await word(3 * at - 16, value)
  await word(3 * VALUES.length - 7, null)
  const index = { indexId: id, base: '133.66', fixedBp: 2000, cap: price + 150 }
  const startsOn = dayIn(scale.anchor, -7, 1)
  await adopt(work, { label: 'Indexé sur l’ILC', startsOn, rules: [{ ...flat(price), index }] })
}

/** The prices of every operation that runs, in one go: called again, it finds them and leaves all as it is. */
export const fillTariffs = ({ db }: Deps, actor: Actor, scale: Scale) =>
  transaction(db, async (tx) => {
    const mine = eq(tariffs.companyId, actor.companyId)
    if ((await tx.select({ id: tariffs.id }).from(tariffs).where(mine).limit(1)).length) return
    for (const { values } of running(scale)) {
      const startsOn = values.startsOn ?? scale.startsOn
      const work = { tx, actor, scale, operationId: values.id, startsOn, price: values.unitPrice ?? 1250 }
      const social = values.id === TILLEULS ? await socialRules(tx, actor.companyId) : []
      await adopt(work, { label: '', startsOn, rules: [flat(work.price), ...social] })
      if (values.id === TILLEULS) await tilleuls(work, social)
      if (values.id === BERGES) await berges(work)
    }
  })
