import { foldText } from '../../../french.ts'

/**
 * A readable slug, then the number of the company, which makes the address unique without a lookup in all companies.
 */
export const buildJoinAddress = (companyId: number, slug: string) => `${slug}-${companyId}`
export const buildJoinPath = (companyId: number, slug: string) => `/rejoindre/${buildJoinAddress(companyId, slug)}`

const MAX_COMPANY_ID = 2_147_483_647

export function parseJoinAddress(address: string): { companyId: number; slug: string } | undefined {
  const [, slug, number] = /^([a-z0-9]+(?:-[a-z0-9]+)*)-([1-9]\d{0,9})$/.exec(address) ?? []
  const companyId = Number(number)
  return slug && companyId <= MAX_COMPANY_ID ? { companyId, slug } : undefined
}

const MAX_SLUG_LENGTH = 60

/** The name of an operation as a URL slug. */
export const toOperationSlug = (name: string) =>
  foldText(name)
    .replaceAll('œ', 'oe')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-|-$/g, '') || 'operation'
