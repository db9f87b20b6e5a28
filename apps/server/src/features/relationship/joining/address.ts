import { foldText } from '../../../french.ts'

/** The readable part, then the company's number: no company takes another's address, and none is looked for among all. */
export const buildJoinAddress = (companyId: number, slug: string) => `${slug}-${companyId}`
export const buildJoinPath = (companyId: number, slug: string) => `/rejoindre/${buildJoinAddress(companyId, slug)}`

const MAX_COMPANY_ID = 2_147_483_647

export function parseJoinAddress(address: string): { companyId: number; slug: string } | undefined {
  const [, slug, number] = /^([a-z0-9]+(?:-[a-z0-9]+)*)-([1-9]\d{0,9})$/.exec(address) ?? []
  const companyId = Number(number)
  return slug && companyId <= MAX_COMPANY_ID ? { companyId, slug } : undefined
}

const MAX_SLUG_LENGTH = 60

/** How an operation's name reads in an address. */
export const toOperationSlug = (name: string) =>
  foldText(name)
    .replaceAll('œ', 'oe')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-|-$/g, '') || 'operation'
