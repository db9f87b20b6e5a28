import type { JoinPage } from '@voisol/contract/joining'
import { PERIMETERS, type Perimeter } from '@voisol/energy/perimeter'
import { and, eq } from 'drizzle-orm'
import { companyOfHost } from '../../../core/brand-hosts.ts'
import type { Db } from '../../../db/client.ts'
import { companies, joinPages, operations } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { today } from '../../../today.ts'
import { currentTexts } from '../../energy/consents/consents.ts'
import { pricesOn } from '../../understanding/insights/insights.ts'
import { getWhiteLabel, storedLabel } from '../white-label/white-label.ts'
import { addressOf, readAddress } from './address.ts'
import { membersTold, yearTold } from './figures.ts'
import { firstEntry } from './notice.ts'

export type Open = {
  page: typeof joinPages.$inferSelect
  operation: typeof operations.$inferSelect
  company: typeof companies.$inferSelect
}

/** Nobody joins what is not yet, or no longer, an operation. */
const JOINABLE = ['pending', 'active']

/** Under the name of a company, there are its own pages and no others. */
async function requireHost(db: Db, host: string, companyId: number) {
  const owner = await companyOfHost(db, host)
  if (owner !== undefined && owner !== companyId) throw new AppError('not-found')
}

async function find(db: Db, companyId: number, where: ReturnType<typeof eq>): Promise<Open | undefined> {
  const [row] = await db
    .select({ page: joinPages, operation: operations, company: companies })
    .from(joinPages)
    .innerJoin(operations, and(eq(operations.companyId, joinPages.companyId), eq(operations.id, joinPages.operationId)))
    .innerJoin(companies, eq(companies.id, joinPages.companyId))
    .where(and(eq(joinPages.companyId, companyId), where))
  return row
}

/** The page of an address while it is open; off, and unknown, are the same. */
export async function openPage(db: Db, host: string, address: string): Promise<Open> {
  const named = readAddress(address)
  if (!named) throw new AppError('not-found')
  await requireHost(db, host, named.companyId)
  const found = await find(db, named.companyId, eq(joinPages.slug, named.slug))
  if (!found?.page.isOpen || !JOINABLE.includes(found.operation.status)) throw new AppError('not-found')
  return found
}

/** Of an operation, open or not: what was asked while it was open goes on. */
export async function pageOfOperation(db: Db, companyId: number, operationId: string): Promise<Open> {
  const found = await find(db, companyId, eq(joinPages.operationId, operationId))
  if (!found) throw new AppError('not-found')
  return found
}

async function organiserOf(db: Db, { company, operation }: Open): Promise<JoinPage['organiser']> {
  const look = await getWhiteLabel(db, company.id)
  // What the company has not chosen follows what is known of it, not the product's own address.
  const { config: chosen } = await storedLabel(db, company.id)
  return {
    name: operation.pmoName || look.companyName || company.name,
    email: chosen.companyEmail || company.email,
    phone: chosen.companyPhone || company.phone,
    logo: look.customLogo || look.logoUrl,
    colour: look.primaryColor,
  }
}

export const organiserName = ({ operation, company }: Open) => operation.pmoName || company.name

/** What anybody may read: nothing of a person or of a meter. */
export async function joinPage(db: Db, open: Open): Promise<JoinPage> {
  const { page, operation } = open
  const { companyId } = page
  const prices = await pricesOn(db, companyId, operation.id, today())
  const members = await membersTold(db, companyId, operation.id)
  const perimeter = PERIMETERS[operation.perimeter as Perimeter] // the contract lets nothing else in
  return {
    slug: addressOf(companyId, page.slug),
    title: `Rejoindre ${operation.name}`,
    summary: `${operation.name}${operation.city && `, à ${operation.city}`}\u00a0: une opération d’énergie solaire partagée. Qui partage, à quel prix, et ce que vous y gagneriez.`,
    operation: { name: operation.name, city: operation.city, perimeter: perimeter.label },
    organiser: await organiserOf(db, open),
    presentation: page.presentation,
    conditions: page.conditions,
    agreement: { text: page.agreement, version: page.agreementVersion },
    price: prices.local,
    supplierPrice: prices.supplier,
    producers: members.producers,
    consumers: members.consumers,
    year: await yearTold(db, companyId, operation.id, members),
    firstOn: await firstEntry(db, companyId, operation),
    noticeDays: page.noticeDays,
    texts: currentTexts(),
  }
}
