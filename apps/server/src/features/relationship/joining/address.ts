import { plain } from '../../../french.ts'

/** The readable part, then the company's number: no company takes another's address, and none is looked for among all. */
export const addressOf = (companyId: number, slug: string) => `${slug}-${companyId}`
export const pathOf = (companyId: number, slug: string) => `/rejoindre/${addressOf(companyId, slug)}`

const MOST = 2_147_483_647

export function readAddress(address: string): { companyId: number; slug: string } | undefined {
  const [, slug, number] = /^([a-z0-9]+(?:-[a-z0-9]+)*)-([1-9]\d{0,9})$/.exec(address) ?? []
  const companyId = Number(number)
  return slug && companyId <= MOST ? { companyId, slug } : undefined
}

const LONGEST = 60

/** How an operation's name reads in an address. */
export const slugOf = (name: string) =>
  plain(name)
    .replaceAll('œ', 'oe')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-|-$/g, '') || 'operation'
