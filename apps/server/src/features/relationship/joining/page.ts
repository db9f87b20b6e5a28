import type { JoinPage } from '@voisol/contract/joining'
import { PERIMETER_RULES, type PerimeterKind } from '@voisol/energy/perimeter'
import { and, eq } from 'drizzle-orm'
import { findCompanyIdOfHost } from '../../../core/brand-hosts.ts'
import type { Db } from '../../../db/client.ts'
import { companies, joinPages, operations } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'
import { listCurrentConsentTexts } from '../../energy/consents/consents.ts'
import { loadEnergyPrices } from '../../understanding/insights/insights.ts'
import { loadStoredWhiteLabel, loadWhiteLabel } from '../white-label/white-label.ts'
import { buildJoinAddress, parseJoinAddress } from './address.ts'
import { loadPublicMembers, loadPublicYear } from './figures.ts'
import { loadFirstEntryDay } from './notice.ts'

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

export const getOrganiserName = ({ operation, company }: JoinPageContext) => operation.pmoName || company.name

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
