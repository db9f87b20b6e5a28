import { tariffs } from '@voisol/contract/tariffs'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import { buyers as buyerTable, priceIndexValues } from '../src/db/schema/index.ts'
import type { BillingYear } from './billing-year.ts'
import { call, type TestServer } from './client.ts'
import { loadHolderId } from './factories-billing.ts'
import { makePriceIndex, makeTariffGroup, requestTariffDraft } from './factories-tariffs.ts'

type Random = (below: number) => number
type PricingInput = { companyId: number; consumers: { id: string }[] }

/** What the tariffs of the year may name: an index with its first value, and a group that pays nothing. */
export async function makePricingFixture({ db }: TestServer, { companyId, consumers }: PricingInput, from: string) {
  const index = await makePriceIndex(db, { companyId })
  const said = { companyId, indexId: index.id, source: 'Bulletin', createdBy: 'Camille' }
  await db.insert(priceIndexValues).values({ ...said, startsOn: addMonths(from, -1), value: '121.37' })
  const group = await makeTariffGroup(db, { companyId, name: 'Solidarité' })
  const buyer = await loadHolderId(db, companyId, consumers[0]?.id ?? '')
  return { index: index.id, group: group.id, buyer }
}

const requireOk = ({ status, text, body }: Awaited<ReturnType<typeof call>>) => {
  if (status !== 200) throw new Error(text)
  return body
}
const getNextMonthStart = (past: readonly string[]) => addMonths(`${past.at(-1)}-01`, 1)
const pickDay = (first: string, random: Random) => addDays(first, random(27))
const pickMaybe = <T>(random: Random, what: T): T[] => (random(2) ? [what] : [])
const pickPrice = (random: Random) => 783 + random(913)

/** Rules by class, producer, buyer, group and index: everything a tariff version may contain. */
function buildRandomRules({ producers, pricing }: BillingYear, random: Random) {
  const terms = { indexId: pricing.index, base: '119.83', fixedBp: 1500, floor: 700, cap: 1650 }
  return [
    { price: pickPrice(random), ...(random(2) && { index: terms }) },
    ...pickMaybe(random, { price: pickPrice(random), class: 'HPH' }),
    ...pickMaybe(random, { price: pickPrice(random), class: 'HPB' }),
    ...pickMaybe(random, { price: pickPrice(random), producer: producers[random(producers.length)]?.id }),
    ...pickMaybe(random, { price: 0, group: pricing.group }),
    ...pickMaybe(random, { price: random(2) ? 0 : pickPrice(random), buyer: pricing.buyer }),
  ]
}

/** From any day, including the middle of a billed month; at most one version per day. */
async function changeTariff(server: TestServer, year: BillingYear, past: readonly string[], random: Random) {
  const months = [...past.map((month) => `${month}-01`), getNextMonthStart(past)]
  const first = months[random(months.length)] ?? getNextMonthStart(past)
  const draft = { startsOn: pickDay(first, random), rules: buildRandomRules(year, random) }
  const { id, version } = requireOk(await requestTariffDraft(server, year, draft))
  const body = { version, reason: 'L’assemblée avait voté ce prix.' }
  const { status, text } = await call(server, tariffs.adopt, { params: { id }, body }, year)
  if (status !== 200 && !text.includes('commence déjà')) throw new Error(text)
}

/** A value for a day of the coming month, or a revision for a billed one, which changes nothing there. */
async function changePriceIndex(server: TestServer, year: BillingYear, past: readonly string[], random: Random) {
  const startsOn = random(3) ? pickDay(getNextMonthStart(past), random) : addMonths(`${year.months[0]}-01`, -1)
  const body = { startsOn, value: `1${10 + random(25)}.${10 + random(89)}`, source: 'Bulletin' }
  requireOk(await call(server, tariffs.sayIndex, { params: { id: year.pricing.index }, body }, year))
}

/** A member enters or leaves the group that pays nothing; billed months stay as they were. */
async function changeSocialGroup(
  { db }: TestServer,
  { companyId, consumers, pricing }: BillingYear,
  _: readonly string[],
  random: Random,
) {
  const participantId = await loadHolderId(db, companyId, consumers[random(consumers.length)]?.id ?? '')
  const groupId = random(4) ? pricing.group : null
  await db
    .insert(buyerTable)
    .values({ companyId, participantId, kind: 'person', groupId })
    .onConflictDoUpdate({
      target: [buyerTable.companyId, buyerTable.participantId],
      set: { groupId: sql`excluded.group_id` },
    })
}

/** From the coming month: a percentage or an amount, for all or for one; others may end, or change order. */
async function addRandomDiscount(server: TestServer, year: BillingYear, past: readonly string[], random: Random) {
  const params = { id: year.operation.id }
  const whom = { participantId: random(2) ? year.pricing.buyer : null, sellerId: year.vendors[random(3)]?.id ?? null }
  const how = random(2) ? { percentBp: 150 + random(700) } : { amount: 7 + random(190) }
  const body = { label: 'Remise', startsOn: getNextMonthStart(past), ...how, ...whom }
  requireOk(await call(server, tariffs.createDiscount, { params, body }, year))
  const { items } = requireOk(await call(server, tariffs.discounts, { params }, year))
  const ids = items.map(({ id }: { id: string }) => id)
  if (random(2))
    requireOk(await call(server, tariffs.orderDiscounts, { params, body: { ids: ids.toReversed() } }, year))
}

async function addRandomFee(server: TestServer, year: BillingYear, past: readonly string[], random: Random) {
  const seller = {
    sellerId: year.vendors[random(year.vendors.length)]?.id,
    label: 'Gestion',
    rate: random(2) ? 550 : null,
  }
  const when = { every: ['month', 'quarter', 'year'][random(3)], startsOn: pickDay(getNextMonthStart(past), random) }
  const body = { ...seller, ...when, amount: 97 + random(1900) }
  requireOk(await call(server, tariffs.createFee, { params: { id: year.operation.id }, body }, year))
}

export const PRICE_CHANGES = {
  tariff: changeTariff,
  index: changePriceIndex,
  social: changeSocialGroup,
  discount: addRandomDiscount,
  fee: addRandomFee,
}
