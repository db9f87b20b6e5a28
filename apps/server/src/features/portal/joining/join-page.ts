import type { JoinEstimate, JoinPage } from '@voisol/contract/joining'
import { DWELLING_LABELS, type Dwelling } from '@voisol/contract/joining-labels'
import { addDays, addMonths, dayOf, monthOf } from '@voisol/energy/calendar'
import { PERIMETER_RULES, type PerimeterKind } from '@voisol/energy/perimeter'
import { formatFrenchDay, formatFrenchNumber } from '@voisol/file-formats/french'
import { computeEnergyCents } from '@voisol/money/amounts'
import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { findCompanyIdOfHost } from '../../../core/mail-brand.ts'
import type { Db } from '../../../db/client.ts'
import { companies, joinPages, operations } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { getToday } from '../../../today.ts'
import { loadEnergySeries, MIN_ANONYMOUS_PEOPLE } from '../../analytics/energy/index.ts'
import { loadEnergyPrices } from '../../analytics/insights/index.ts'
import { listCurrentConsentTexts } from '../../energy/consents/index.ts'
import { loadStoredWhiteLabel, loadWhiteLabel } from '../white-label/index.ts'
import { buildJoinAddress, loadFirstEntryDay, parseJoinAddress } from './join-settings.ts'
import { formatKwhPrice } from './signed-documents.ts'

export type JoinPageContext = {
  page: typeof joinPages.$inferSelect
  operation: typeof operations.$inferSelect
  company: typeof companies.$inferSelect
}

/** Only operations that are planned or running can be joined. */
const JOINABLE_STATUSES = ['pending', 'active']

/** The host of a company serves the pages of that company only. */
async function requireHost(db: Db, host: string, companyId: number) {
  const owner = await findCompanyIdOfHost(db, host)
  if (owner !== undefined && owner !== companyId) throw new AppError('not-found')
}

async function findPage(db: Db, companyId: number, where: ReturnType<typeof eq>): Promise<JoinPageContext | undefined> {
  const [row] = await db
    .select({ page: joinPages, operation: operations, company: companies })
    .from(joinPages)
    .innerJoin(operations, and(eq(operations.companyId, joinPages.companyId), eq(operations.id, joinPages.operationId)))
    .innerJoin(companies, eq(companies.id, joinPages.companyId))
    .where(and(eq(joinPages.companyId, companyId), where))
  return row
}

/** The open page of an address; a closed and an unknown page give the same answer. */
export async function requireOpenJoinPage(db: Db, host: string, address: string): Promise<JoinPageContext> {
  const parsed = parseJoinAddress(address)
  if (!parsed) throw new AppError('not-found')
  await requireHost(db, host, parsed.companyId)
  const found = await findPage(db, parsed.companyId, eq(joinPages.slug, parsed.slug))
  if (!found?.page.isOpen || !JOINABLE_STATUSES.includes(found.operation.status)) throw new AppError('not-found')
  return found
}

/** The page of an operation, open or not: applications made while it was open continue. */
export async function loadJoinPageOfOperation(
  db: Db,
  companyId: number,
  operationId: string,
): Promise<JoinPageContext> {
  const found = await findPage(db, companyId, eq(joinPages.operationId, operationId))
  if (!found) throw new AppError('not-found')
  return found
}

async function loadOrganiser(db: Db, { company, operation }: JoinPageContext): Promise<JoinPage['organiser']> {
  const whiteLabel = await loadWhiteLabel(db, company.id)
  // Settings without a choice fall back to the company's own contact, not to the product's address.
  const { config: chosen } = await loadStoredWhiteLabel(db, company.id)
  return {
    name: operation.pmoName || whiteLabel.companyName || company.name,
    email: chosen.companyEmail || company.email,
    phone: chosen.companyPhone || company.phone,
    logo: whiteLabel.customLogo || whiteLabel.logoUrl,
    colour: whiteLabel.primaryColor,
  }
}

/** Public data: nothing about a person or a meter. */
export async function loadPublicJoinPage(db: Db, open: JoinPageContext): Promise<JoinPage> {
  const { page, operation } = open
  const { companyId } = page
  const prices = await loadEnergyPrices(db, companyId, operation.id, getToday())
  const members = await loadPublicMembers(db, companyId, operation.id)
  const perimeter = PERIMETER_RULES[operation.perimeter as PerimeterKind] // the contract lets nothing else in
  return {
    slug: buildJoinAddress(companyId, page.slug),
    title: `Rejoindre ${operation.name}`,
    summary: `${operation.name}${operation.city && `, à ${operation.city}`}\u00a0: une opération d’énergie solaire partagée. Qui partage, à quel prix, et ce que vous y gagneriez.`,
    operation: { name: operation.name, city: operation.city, perimeter: perimeter.label },
    organiser: await loadOrganiser(db, open),
    presentation: page.presentation,
    conditions: page.conditions,
    agreement: { text: page.agreement, version: page.agreementVersion },
    price: prices.local,
    supplierPrice: prices.supplier,
    producers: members.producers,
    consumers: members.consumers,
    year: await loadPublicYear(db, companyId, operation.id, members),
    firstOn: await loadFirstEntryDay(db, companyId, operation),
    noticeDays: page.noticeDays,
    texts: listCurrentConsentTexts(),
  }
}

type MemberRow = { name: string; kind: string; produces: boolean; consumes: boolean }
type PublicMembers = {
  producers: JoinPage['producers']
  consumers: number | null
  /** Whether the production can be published, because it is not that of a single person. */
  openProduction: boolean
}

/**
 * The members as shown publicly: producing organisations are named, persons never are, and consumers are counted only
 * from five on.
 */
async function loadPublicMembers(db: Db, companyId: number, operationId: string): Promise<PublicMembers> {
  const { rows } = await db.execute<MemberRow>(sql`
    select h.name, h.kind, bool_or(d.direction = 'production') as produces, bool_or(d.direction = 'consumption') as consumes
      from participations p
      join points d on d.company_id = p.company_id and d.id = p.point_id and not d.storage
      join participants h on h.company_id = p.company_id and h.id = p.participant_id
     where p.company_id = ${companyId} and p.operation_id = ${operationId}
       and p.starts_on <= ${getToday()} and (p.ends_on is null or p.ends_on > ${getToday()})
     group by h.id, h.name, h.kind order by h.name`)
  const producers = rows.filter(({ produces }) => produces)
  const named = producers.filter(({ kind }) => kind === 'organisation').map(({ name }) => name)
  const consumers = rows.filter(({ consumes }) => consumes).length
  const others = producers.length - named.length
  return {
    producers: { named, others },
    consumers: consumers >= MIN_ANONYMOUS_PEOPLE ? consumers : null,
    openProduction: others === 0 || others >= MIN_ANONYMOUS_PEOPLE,
  }
}

/** The actor by which public totals of an operation are read. */
const authorizePublicReader = (db: Db, companyId: number, operationId: string) =>
  authorizeJob(db, { companyId, userId: null }, { permission: 'energy.read', operationId })

const sumRounded = (column: (number | null)[]) =>
  Math.round(column.reduce<number>((all, value) => all + (value ?? 0), 0))

/** The last twelve complete months. */
async function loadPublicYear(
  db: Db,
  companyId: number,
  operationId: string,
  told: PublicMembers,
): Promise<JoinPage['year']> {
  if (told.consumers === null) return null
  const to = monthOf(getToday())
  const from = addMonths(to, -12)
  const actor = await authorizePublicReader(db, companyId, operationId)
  const { allocated, produced } = await loadEnergySeries(db, actor, { operationId, from, to, granularity: 'month' })
  const shared = sumRounded(allocated)
  if (shared === 0) return null
  return { from, to, shared, produced: told.openProduction ? sumRounded(produced) : null }
}

type EstimateRequest = { dwelling: z.infer<typeof Dwelling>; yearlyKwh: number; supplierPrice?: number | undefined }
type EstimateDeps = Pick<Deps, 'db' | 'compute'> & { signal?: AbortSignal | undefined }

const YEAR_DAYS = 365
/** Less than thirty days of hours are not representative of a year. */
const MIN_HOURS = 30 * 24

const NO_ESTIMATE: JoinEstimate = {
  enough: false,
  from: null,
  to: null,
  days: 0,
  consumedWh: 0,
  receivedWh: 0,
  price: null,
  supplierPrice: null,
  savingCents: null,
  assumptions: [],
}

const listAssumptions = (
  { dwelling, yearlyKwh, supplierPrice }: EstimateRequest,
  local: number | null,
  supplier: number | null,
) => [
  `Vos heures de consommation sont celles d’un profil type (${DWELLING_LABELS[dwelling].toLowerCase()}), à ${formatFrenchNumber(yearlyKwh)}\u00a0kWh par an.`,
  'Vous recevez ce que les autres n’ont pas consommé, heure par heure\u00a0: leur part n’est pas réduite. Si plusieurs personnes entrent, ce reste se partage.',
  ...(local === null
    ? ['Le prix local n’est pas le même pour tous\u00a0: l’économie ne peut pas être dite d’avance.']
    : []),
  ...(local !== null && supplier !== null
    ? [
        `Chaque kWh local à ${formatKwhPrice(local)} remplace un kWh de votre fournisseur à ${formatKwhPrice(supplier)}${supplierPrice ? ', le prix que vous avez donné' : ', le prix de référence de l’opération'}.`,
      ]
    : []),
  'Taxes et abonnement ne sont pas comptés. C’est une estimation, sans engagement.',
]

/** What somebody would have received and saved over the last twelve months that are known: never beyond them. */
export async function estimateSavings(
  { db, compute, signal }: EstimateDeps,
  { operation }: JoinPageContext,
  asked: EstimateRequest,
): Promise<JoinEstimate> {
  const { companyId } = operation
  const actor = await authorizePublicReader(db, companyId, operation.id)
  const to = getToday()
  const period = { from: addDays(to, -YEAR_DAYS), to }
  const series = await loadEnergySeries(db, actor, { operationId: operation.id, ...period, granularity: 'hour' }, [
    'surplus',
  ])
  const known = series.surplus.flatMap((value, at) => (value === null ? [] : [at]))
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined || known.length < MIN_HOURS) return NO_ESTIMATE
  const minuteAt = (at: number) => Date.parse(series.starts[at] ?? '') / 60_000
  const startsAt = minuteAt(first)
  const surplus = series.surplus.slice(first, last + 1)
  const { dwelling: profile, yearlyKwh } = asked
  const work = { profile, yearlyKwh, startsAt, surplus }
  const { received, consumed } = await compute('joining.estimate', work, { companyId, signal })
  const prices = await loadEnergyPrices(db, companyId, operation.id, to)
  const supplier = asked.supplierPrice ?? prices.supplier
  const saves = prices.local !== null && supplier !== null
  return {
    enough: true,
    from: dayOf(startsAt),
    to: addDays(dayOf(minuteAt(last)), 1),
    days: Math.round(known.length / 24),
    consumedWh: consumed,
    receivedWh: received,
    price: prices.local,
    supplierPrice: supplier,
    savingCents: saves
      ? computeEnergyCents(received, supplier) - computeEnergyCents(received, prices.local ?? 0)
      : null,
    assumptions: [
      `Calcul fait sur les mesures de l’opération du ${formatFrenchDay(dayOf(startsAt))} au ${formatFrenchDay(dayOf(minuteAt(last)))}.`,
      ...listAssumptions(asked, prices.local, supplier),
    ],
  }
}
