import type { Commune } from '@voisol/contract/communes'

const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z]+/g, '')

type Typed = { postalCode: string; city: string }
export type Proposal = Typed & { key: string; label: string }

const whole = (postalCode: string) => /^\d{5}$/.test(postalCode.trim())

/** What to look for: the code where it is whole, else the name once it has begun. */
export function askedFor({ postalCode, city }: Typed): string | null {
  if (whole(postalCode)) return postalCode.trim()
  return city.trim().length >= 3 ? city.trim() : null
}

const MOST = 12

/** The communes to choose from; none once what is typed is one of them. */
export function proposalsOf(found: Commune[], typed: Typed): Proposal[] {
  const code = typed.postalCode.trim()
  const isNamed = ({ name }: Commune) => fold(name) === fold(typed.city)
  const fits = (one: Commune) => isNamed(one) && (whole(code) ? one.postalCodes.includes(code) : false)
  if (found.some(fits)) return []
  const named = (one: Commune): Proposal => {
    const [first = '', ...others] = one.postalCodes
    const postalCode = whole(code) ? code : others.length === 0 ? first : ''
    const where = whole(code)
      ? ''
      : ` (${others.length === 0 ? first : `${first.slice(0, 2)}, ${others.length + 1} codes`})`
    return { key: one.code, label: `${one.name}${where}`, city: one.name, postalCode }
  }
  // A commune of several codes, once named, has nothing more to say.
  if (!whole(code) && found.some((one) => isNamed(one) && one.postalCodes.length > 1)) return []
  const begun = found.filter(({ name }) => fold(name).startsWith(fold(typed.city)))
  return (begun.length > 0 ? begun : found).slice(0, MOST).map(named)
}

/** The commune that is meant, where its middle is not known: nothing may be placed there. */
export const withoutCentre = (found: Commune[], { postalCode, city }: Typed): string | null =>
  found.find(
    (one) => one.latitude === null && one.postalCodes.includes(postalCode.trim()) && fold(one.name) === fold(city),
  )?.name ?? null

/** The only commune of a code names itself; what somebody typed is never overwritten. */
export const certainCity = (found: Commune[], { postalCode, city }: Typed): string | null =>
  whole(postalCode) && city.trim() === '' && found.length === 1 ? (found[0]?.name ?? null) : null
