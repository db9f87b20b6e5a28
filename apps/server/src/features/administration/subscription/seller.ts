import { lockCompany } from '../../../core/lock-company.ts'
import { loadSiteOwnerId, NO_SITE_OWNER } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import type { companies } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { addSeller, addVat, loadSellers, type SellerRow } from '../../money/parties/parties.ts'
import { loadCompanyRow } from './find.ts'

type Company = typeof companies.$inferSelect

/** Parses « 12 rue des Tilleuls, 69007 Lyon » into the parts that a document prints. */
export function parsePostalAddress({ address }: Pick<Company, 'address'>) {
  const found = /^(.*?)[,\n]?\s*\b(\d{5})\s+([^,\n]+)$/s.exec(address.trim())
  const [, street = address, postalCode = '', city = ''] = found ?? []
  return { address: street.trim(), postalCode, city: city.trim(), country: 'FR' }
}

const SELLER_PREFIX = 'ABO'

/** The company that operates the installation and sells the subscriptions. */
export async function requireSellingCompany(db: Db): Promise<number> {
  const siteOwnerId = await loadSiteOwnerId(db)
  if (siteOwnerId === NO_SITE_OWNER)
    throw new AppError('conflict', {
      message: 'Aucune organisation ne tient encore cette installation\u00a0: personne ne peut vous facturer.',
    })
  return siteOwnerId
}

/**
 * The seller for subscription invoices: created on first use from the company's details, with its own invoice sequence.
 */
export async function getOrCreatePlatformSeller(tx: Db, siteOwnerId: number, day: string): Promise<SellerRow> {
  const find = async () => (await loadSellers(tx, siteOwnerId)).find(({ prefix }) => prefix === SELLER_PREFIX)
  const known = await find()
  if (known) return known
  // Of two companies billed first at the same moment, one creates the seller and the other waits and finds it.
  await lockCompany(tx, siteOwnerId)
  const madeMeanwhile = await find()
  if (madeMeanwhile) return madeMeanwhile
  const company = await loadCompanyRow(tx, siteOwnerId)
  const actor = await authorizeJob(tx, { companyId: siteOwnerId, userId: null }, { permission: 'parties.write' })
  const { id } = await addSeller(tx, actor, {
    participantId: null,
    name: company.legalName || company.name,
    legalForm: '',
    siren: company.siren,
    siret: '',
    vatNumber: '',
    ...parsePostalAddress(company),
    email: company.email,
    phone: company.phone,
    prefix: SELLER_PREFIX,
    payfip: '',
    managementFees: [],
    managementFeeRate: 2000,
  })
  await addVat(tx, actor, id, { startsOn: `${day.slice(0, 4)}-01-01`, mode: 'standard', rate: 2000 })
  const made = await find()
  if (!made) throw new Error('the seller was added')
  return made
}
