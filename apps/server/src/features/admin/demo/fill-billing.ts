import { buildFrenchVatNumber, isLuhnValid } from '@voisol/contract/party-numbers'
import type { SellerCandidate } from '@voisol/contract/sellers'
import { buildMandatePdf } from '@voisol/documents/pdf/mandate-pdf'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import { drawNoise } from '@voisol/energy/model/random'
import { type DemoScale, getDayInMonth, type OperationPlan } from '@voisol/simulator/demo/blueprint'
import { BERGES_ID, generateSiren, TILLEULS_ID } from '@voisol/simulator/demo/identities'
import { buildRunningOperations } from '@voisol/simulator/demo/plan'
import { and, eq, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { buyerGroups, tariffs } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { saveLotSpread } from '../../billing/lots/index.ts'
import { closeMonth, findClosedMonth, issueMonth } from '../../billing/month-closing/index.ts'
import {
  addBillingMandate,
  addBuyerGroup,
  addSeller,
  addVat,
  listSellerCandidates,
  loadOperationTerms,
  loadSellers,
  saveBuyer,
  saveOperationTerms,
  saveSellerBank,
  saveSignedMandate,
} from '../../billing/parties/index.ts'
import {
  adoptTariff,
  createDiscount,
  createFee,
  createPriceIndex,
  createTariff,
  recordIndexValue,
} from '../../billing/tariffs/index.ts'

/** Bills a year of the first operation and one month of the others, which is enough to look at and quick to build. */
const BILLED_MONTHS = { first: 12, others: 1 }
const DAYS_BEFORE_CLOSING = 6
const CLOSING_REASON = 'Quelques relevés manquent encore\u00a0: le conseil syndical préfère facturer sans attendre.'

/** The months billed up to that day, oldest first. */
function listBilledMonths({ values }: OperationPlan, until: string): string[] {
  const count = values.id === TILLEULS_ID ? BILLED_MONTHS.first : BILLED_MONTHS.others
  const first = monthOf(values.startsOn ?? until)
  const months = Array.from({ length: count }, (_, at) => addMonths(until, at - count))
  return months.filter((month) => month >= first)
}

async function billMonth(deps: Deps, actor: Actor, operationId: string, first: string): Promise<void> {
  const { companyId } = actor
  const month = first.slice(0, 7)
  const operation = await requireVisibleOperation(deps.db, actor, operationId)
  if ((await findClosedMonth(deps.db, companyId, operationId, month))?.status === 'issued') return
  const on = addDays(addMonths(first, 1), DAYS_BEFORE_CLOSING)
  const by = formatActorName(actor)
  const wanted = { companyId, operationId, month, acceptLastIndex: true }
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    const at = new Date(`${on}T08:30:00Z`)
    const closing = { computing: deps, aside: deps.db, operation, wanted, by, reason: CLOSING_REASON, at }
    if (!(await findClosedMonth(tx, companyId, operationId, month))) await closeMonth(tx, closing)
    await issueMonth(tx, { operation, month, by, secrets: deps.secrets, on })
  })
}

/** Closes and issues the months that had ended by then, each on its historical date. */
export async function fillBilling(deps: Deps, actor: Actor, plan: OperationPlan, until: string, signal?: AbortSignal) {
  for (const month of listBilledMonths(plan, until)) {
    signal?.throwIfAborted()
    await billMonth(deps, actor, plan.values.id, month)
  }
}

const SIGNED_BEFORE = 20
const SUPPLIER_PRICE = 1573
const SURPLUS_PRICE = 536

/**
 * Three VAT positions: a co-ownership under the small-business exemption, a private person out of scope, and companies
 * subject to VAT.
 */
function chooseVat({ name, siren, participantId }: SellerCandidate) {
  if (!siren) return { mode: 'outside', rate: 0 } as const
  return participantId !== null && /copropri/i.test(name)
    ? ({ mode: 'exempt', rate: 0 } as const)
    : ({ mode: 'standard', rate: 2000 } as const)
}

type FillPartiesContext = { deps: Deps; tx: Db; actor: Actor; scale: DemoScale }

async function createSellerWithTerms(
  { deps, tx, actor, scale: { startsOn } }: FillPartiesContext,
  candidate: SellerCandidate,
  by: string,
) {
  const { operations, ...known } = candidate
  const vat = chooseVat(candidate)
  const vatNumber = vat.mode === 'standard' ? buildFrenchVatNumber(candidate.siren) : ''
  const fees = candidate.participantId === null ? [] : [{ kind: 'percentNet' as const, bp: 350 }]
  const more = { legalForm: '', siret: '', country: 'FR', managementFees: fees, managementFeeRate: 2000 }
  const { id, address, postalCode, city } = await addSeller(tx, actor, { ...known, vatNumber, ...more })
  await addVat(tx, actor, id, { startsOn, ...vat })
  await saveSellerBank(tx, deps.secrets, actor, id, {
    iban: buildDemoIban(candidate.name),
    bic: 'AGRIFRPP',
    version: 1,
  })
  if (candidate.participantId === null) return id
  const signedOn = addDays(startsOn, -SIGNED_BEFORE)
  const { mandates } = await addBillingMandate(tx, actor, id, { startsOn, endsOn: null, signedOn, collects: true })
  const seller = { name: candidate.name, siren: candidate.siren, address: `${address}, ${postalCode} ${city}` }
  const content = await buildMandatePdf({ seller, by, operations, startsOn, signedOn })
  const name = `mandat-${candidate.prefix.replace(/\W+$/, '').toLowerCase()}.pdf`
  await saveSignedMandate(tx, deps.files, actor, mandates[0]?.id ?? '', { name, content })
  return id
}

const ORGANISER = {
  siren: generateSiren('toits partages'),
  address: '12 rue des Tilleuls',
  postalCode: '69007',
  city: 'Lyon',
}

/** Creates the sellers and buyers in one transaction. Idempotent. */
export const fillParties = (deps: Deps, actor: Actor, scale: DemoScale) =>
  transaction(deps.db, async (tx) => {
    const { companyId } = actor
    if ((await loadSellers(tx, companyId)).length) return
    const work = { deps, tx, actor, scale }
    const candidates = await listSellerCandidates(tx, actor)
    const organiser = candidates.find(({ participantId }) => participantId === null)
    if (!organiser) return
    for (const candidate of candidates.filter((one) => one !== organiser))
      await createSellerWithTerms(work, candidate, organiser.name)
    const organiserId = await createSellerWithTerms(work, { ...organiser, ...ORGANISER }, organiser.name)
    const terms = { patrimonial: false, organiserId, supplierPrice: SUPPLIER_PRICE, surplusPrice: SURPLUS_PRICE }
    for (const { values } of buildRunningOperations(scale))
      await saveOperationTerms(tx, actor, values.id, { ...terms, monthsPerInvoice: 1, version: 0 })
    await fillBuyers(tx, actor)
  })

const TOWN_NAME = 'Ville de Lyon, services de proximité'
const DEFAULT_BUYER = {
  legalName: '',
  jointHolders: [],
  siret: '',
  vatNumber: '',
  serviceCode: '',
  engagement: '',
  address: '',
  postalCode: '',
  city: '',
  country: 'FR',
  email: '',
  groupId: null,
  acciseClass: '',
  version: 0,
}

type Person = { id: string; name: string; lastName: string; siren: string }

/** Builds a SIRET, the number of an establishment of a company, with a valid check digit. */
const buildSiret = (siren: string) => {
  for (let last = 0; last < 10; last++) if (isLuhnValid(`${siren}0001${last}`)) return `${siren}0001${last}`
  throw new Error(`no place of business of ${siren}`)
}

/** Current members of the Tilleuls operation, by name, without those who have an account, so that no portal changes. */
async function listNeighbours(tx: Db, companyId: number): Promise<Person[]> {
  const { rows } = await tx.execute<Person>(sql`
    select p.id, p.name, p.last_name as "lastName", p.siren from participants p
     where p.company_id = ${companyId} and p.kind = 'person' and p.user_id is null and exists (
       select 1 from participations s where s.company_id = p.company_id and s.participant_id = p.id
          and s.operation_id = ${TILLEULS_ID} and s.ends_on is null)
     order by p.name, p.id limit 2`)
  return rows
}

/** The lots of a co-ownership: 1,000 shares in all, not counting the cellars. */
const LOTS = [
  ['1', 'Mme Garnier', 137],
  ['2', 'M. et Mme Delorme', 152],
  ['3', 'SCI du Quai', 211],
  ['4', 'Mme Aït-Kaci', 98],
  ['5', 'M. Fontaine', 143],
  ['6', 'Mme Rousset', 126],
  ['7', 'M. Lemaire', 118],
  ['Cave 1', 'SCI du Quai', 15],
] as const

async function fillLots(tx: Db, actor: Actor) {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select p.id from participants p
     where p.company_id = ${actor.companyId} and p.name like 'Copropriété%' and exists (
       select 1 from participations s join points t on t.company_id = s.company_id and t.id = s.point_id
        where s.company_id = p.company_id and s.participant_id = p.id and t.direction = 'consumption')
     order by p.name, p.id limit 1`)
  const lots = LOTS.map(([number, holder, shares]) => ({ number, holder, shares }))
  if (rows[0]) await saveLotSpread(tx, actor, rows[0].id, { by: 'share', lots, version: 0 })
}

async function findTown(tx: Db, companyId: number): Promise<Person | undefined> {
  const { rows } = await tx.execute<Person>(sql`
    select p.id, p.name, p.last_name as "lastName", p.siren from participants p
     where p.company_id = ${companyId} and p.name = ${TOWN_NAME} order by p.id limit 1`)
  return rows[0]
}

/** Creates a household of two, a buyer at the social tariff and a town invoiced through Chorus Pro. */
async function fillBuyers(tx: Db, actor: Actor) {
  const { companyId } = actor
  const [couple, helped] = await listNeighbours(tx, companyId)
  const note = 'Décision du conseil de l’association\u00a0: l’énergie partagée leur est donnée.'
  const { id: groupId } = await addBuyerGroup(tx, actor, { name: 'Tarif social', note })
  const person = { ...DEFAULT_BUYER, kind: 'person', delivery: 'mail' } as const
  if (couple) await saveBuyer(tx, actor, couple.id, { ...person, jointHolders: [`Noé ${couple.lastName}`] })
  if (helped) await saveBuyer(tx, actor, helped.id, { ...person, groupId })
  await fillLots(tx, actor)
  const town = await findTown(tx, companyId)
  if (!town) return
  const order = { serviceCode: 'SERV-PROX-07', engagement: 'EJ-2026-004817', siret: buildSiret(town.siren) }
  await saveBuyer(tx, actor, town.id, { ...DEFAULT_BUYER, ...order, kind: 'public', delivery: 'chorus' })
}

type TariffRules = Parameters<typeof createTariff>[3]['rules']
type TariffDraft = { label: string; startsOn: string; rules: TariffRules }
type FillTariffsContext = {
  tx: Db
  actor: Actor
  scale: DemoScale
  operationId: string
  startsOn: string
  price: number
}

const buildFlatRule = (price: number): TariffRules[number] => ({ id: 'prix', label: 'Énergie partagée', price })

async function adoptDraft({ tx, actor, operationId, startsOn: first }: FillTariffsContext, draft: TariffDraft) {
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
async function fillTilleuls(work: FillTariffsContext, social: TariffRules) {
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
async function fillBerges(work: FillTariffsContext) {
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

/** A fictitious IBAN with valid check digits. */
export function buildDemoIban(ref: string): string {
  const body = `3000699999${Array.from({ length: 13 }, (_, n) => Math.floor(drawNoise(`iban ${ref}`, n) * 10)).join('')}`
  const key = 98n - (BigInt(`${body}152700`) % 97n)
  return `FR${String(key).padStart(2, '0')}${body}`
}
