import { WhiteLabel } from '@voisol/contract/white-label'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Db } from '../db/client.ts'
import { brandHosts, companies, memberships, users, whiteLabels } from '../db/schema/index.ts'
import { type BrandLinkConfig, getBrandLinksStart, replaceHost } from './brand-hosts.ts'
import { getPublicBaseUrl } from './public-url.ts'

/** Whose message it is, as its reader sees it, and where its links lead. */
export type MailBrand = {
  name: string
  colour: string
  /** The whole address of a picture that readers of mail show; empty where there is none. */
  logo: string
  address: string
  contact: string
  home: string
}

const { companyName, primaryColor, companyEmail, companyPhone, companyAddress, logoUrl, customLogo } = WhiteLabel.shape
/** What was kept under an older rule and no longer holds is as if it had not been chosen. */
const MailBrandSettings = z.object({
  companyName: companyName.unwrap().catch(''),
  primaryColor: primaryColor.unwrap().catch(''),
  companyEmail: companyEmail.unwrap().catch(''),
  companyPhone: companyPhone.unwrap().catch(''),
  companyAddress: companyAddress.unwrap().catch(''),
  customLogo: customLogo.unwrap().catch(''),
  logoUrl: logoUrl.unwrap().catch(''),
})

/** Readers of mail show neither drawings nor the newest formats. */
const isMailPicture = (path: string) => /\.(?:png|jpe?g)$/i.test(path)

type Company = Pick<typeof companies.$inferSelect, 'name' | 'email' | 'phone' | 'address'>

/** How a company's messages look with what it has chosen; what it left is told by what is known of it. */
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
 * The look of a company's messages; undefined of a company that is not there. All their links wait for the company's host to have
 * been proved long enough, whether they carry a token or not: none can be forgotten, and a page that asks to sign in is worth one.
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

/** Of a message about an account: the look of the only company it is in. Somebody of several is written to by the product. */
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

/** The address of a path of the product, where this reader knows it. */
export const buildBrandUrl = (
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
  brand: MailBrand | undefined,
  path: string,
) => new URL(path, brand?.home ?? getPublicBaseUrl(config)).href
