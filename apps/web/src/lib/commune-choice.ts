import type { Commune } from '@voisol/contract/communes'

const normalizeCommuneName = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '')

type CommuneInput = { postalCode: string; city: string }
export type CommuneSuggestion = CommuneInput & { key: string; label: string }

const isFullPostalCode = (postalCode: string) => /^\d{5}$/.test(postalCode.trim())

/** What to look for: the code where it is whole, else the name once it has begun. */
export function getCommuneSearchText({ postalCode, city }: CommuneInput): string | null {
  if (isFullPostalCode(postalCode)) return postalCode.trim()
  return city.trim().length >= 3 ? city.trim() : null
}

const MAX_SUGGESTIONS = 12

/** The communes to choose from; none once what is typed is one of them. */
export function buildCommuneSuggestions(found: Commune[], typed: CommuneInput): CommuneSuggestion[] {
  const code = typed.postalCode.trim()
  const hasTypedName = ({ name }: Commune) => normalizeCommuneName(name) === normalizeCommuneName(typed.city)
  const isSelected = (one: Commune) =>
    hasTypedName(one) && (isFullPostalCode(code) ? one.postalCodes.includes(code) : false)
  if (found.some(isSelected)) return []
  const toSuggestion = (one: Commune): CommuneSuggestion => {
    const [first = '', ...others] = one.postalCodes
    const postalCode = isFullPostalCode(code) ? code : others.length === 0 ? first : ''
    const where = isFullPostalCode(code)
      ? ''
      : ` (${others.length === 0 ? first : `${first.slice(0, 2)}, ${others.length + 1} codes`})`
    return { key: one.code, label: `${one.name}${where}`, city: one.name, postalCode }
  }
  // A commune of several codes, once named, has nothing more to say.
  if (!isFullPostalCode(code) && found.some((one) => hasTypedName(one) && one.postalCodes.length > 1)) return []
  const prefixMatches = found.filter(({ name }) =>
    normalizeCommuneName(name).startsWith(normalizeCommuneName(typed.city)),
  )
  return (prefixMatches.length > 0 ? prefixMatches : found).slice(0, MAX_SUGGESTIONS).map(toSuggestion)
}

/** The commune that is meant, where its middle is not known: nothing may be placed there. */
export const findCommuneWithoutCentre = (found: Commune[], { postalCode, city }: CommuneInput): string | null =>
  found.find(
    (one) =>
      one.latitude === null &&
      one.postalCodes.includes(postalCode.trim()) &&
      normalizeCommuneName(one.name) === normalizeCommuneName(city),
  )?.name ?? null

/** The only commune of a code names itself; what somebody typed is never overwritten. */
export const findOnlyCity = (found: Commune[], { postalCode, city }: CommuneInput): string | null =>
  isFullPostalCode(postalCode) && city.trim() === '' && found.length === 1 ? (found[0]?.name ?? null) : null
