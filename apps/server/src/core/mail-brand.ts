import { WhiteLabel } from '@voisol/contract/white-label'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import { brandHosts, companies, memberships, users, whiteLabels } from '../db/schema/index.ts'
import { getPublicBaseUrl } from './public-links.ts'

/** The sender's identity in a message, and the host of its links. */
export type MailBrand = {
  name: string
  colour: string
  /** The absolute URL of a logo that mail programs can show; empty without one. */
  logo: string
  address: string
  contact: string
  home: string
}

const { companyName, primaryColor, companyEmail, companyPhone, companyAddress, logoUrl, customLogo } = WhiteLabel.shape
/** A stored value that a newer rule refuses counts as not set. */
const MailBrandSettings = z.object({
  companyName: companyName.unwrap().catch(''),
  primaryColor: primaryColor.unwrap().catch(''),
  companyEmail: companyEmail.unwrap().catch(''),
  companyPhone: companyPhone.unwrap().catch(''),
  companyAddress: companyAddress.unwrap().catch(''),
  customLogo: customLogo.unwrap().catch(''),
  logoUrl: logoUrl.unwrap().catch(''),
})

/** Mail programs show neither SVG nor recent image formats. */
const isMailPicture = (path: string) => /\.(?:png|jpe?g)$/i.test(path)

type Company = Pick<typeof companies.$inferSelect, 'name' | 'email' | 'phone' | 'address'>

/** The brand of a company's messages from its settings, completed from its known data. */
export function buildMailBrand(company: Company, chosen: unknown, home: string): MailBrand {
  const look = MailBrandSettings.parse(chosen ?? {})
  const picture = look.customLogo || look.logoUrl
  return {
    name: look.companyName || company.name,
    colour: look.primaryColor || WhiteLabel.shape.primaryColor.parse(undefined),
    logo: isMailPicture(picture) ? new URL(picture, home).href : '',
    address: look.companyAddress || company.address,
    contact: [look.companyEmail || company.email, look.companyPhone || company.phone].filter(Boolean).join(' · '),
    home,
  }
}

type BrandLinkSettings = Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'> & BrandLinkConfig

/**
 * The brand of a company's messages; undefined for an unknown company. Links use the company's host only once it has
 * been verified long enough, whether they carry a token or not: no exception can be forgotten, and a fake sign-in page
 * would be worth as much.
 */
export async function loadMailBrand(
  db: Db,
  config: BrandLinkSettings,
  companyId: number,
  now = new Date(),
): Promise<MailBrand | undefined> {
  const [row] = await db
    .select({
      company: companies,
      config: whiteLabels.config,
      host: brandHosts.host,
      provedAt: brandHosts.provedAt,
    })
    .from(companies)
    .leftJoin(whiteLabels, eq(whiteLabels.companyId, companies.id))
    .leftJoin(brandHosts, and(eq(brandHosts.companyId, companies.id), isNotNull(brandHosts.provedAt)))
    .where(eq(companies.id, companyId))
  if (!row) return undefined
  const { company, config: chosen, host, provedAt } = row
  const leadsThere = provedAt !== null && getBrandLinksStart(provedAt, config) <= now
  return buildMailBrand(company, chosen, replaceHost(getPublicBaseUrl(config), leadsThere ? host : null))
}

/**
 * For a message about an account: the brand of its only company. For a member of several companies, that of the
 * product.
 */
export async function loadMailBrandOfUser(
  db: Db,
  config: BrandLinkSettings,
  email: string,
): Promise<MailBrand | undefined> {
  const rows = await db
    .select({ companyId: memberships.companyId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(sql`lower(${users.email})`, email.toLowerCase()),
        isNotNull(memberships.acceptedAt),
        isNull(memberships.disabledAt),
      ),
    )
    .limit(2)
  const [only, other] = rows
  return only && !other ? loadMailBrand(db, config, only.companyId) : undefined
}

/** The URL of a path of the product, on the host that this reader knows. */
export const buildBrandUrl = (
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
  brand: MailBrand | undefined,
  path: string,
) => new URL(path, brand?.home ?? getPublicBaseUrl(config)).href

/** The company that verified a host, by its name without the port. */
export async function findCompanyIdOfHost(db: Db, host: string): Promise<number | undefined> {
  const [row] = await db
    .select({ companyId: brandHosts.companyId })
    .from(brandHosts)
    .where(and(eq(brandHosts.host, host.toLowerCase().replace(/\.$/, '')), isNotNull(brandHosts.provedAt)))
  return row?.companyId
}

type BrandLinkConfig = Pick<Config, 'BRAND_LINK_DELAY_HOURS'>

/**
 * From when links in messages use a host. An attacker with an administrator's session could register a host of their
 * own: no link with a token goes there before every administrator had time to react.
 */
export const getBrandLinksStart = (provedAt: Date, { BRAND_LINK_DELAY_HOURS }: BrandLinkConfig) =>
  new Date(provedAt.getTime() + BRAND_LINK_DELAY_HOURS * 3_600_000)

/** The same URL on another host: protocol and port are those of the installation. */
function replaceHost(home: string, host: string | null | undefined): string {
  if (!host) return home
  const at = new URL(home)
  at.hostname = host
  return at.origin
}
