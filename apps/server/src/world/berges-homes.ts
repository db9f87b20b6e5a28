import type { Profile } from '@voisol/energy/model/profiles'
import { consumer, type Made, type Site } from './blueprint.ts'
import { emailOf, neighbour } from './names.ts'
import { between } from './numbers.ts'
import { dayIn, type Scale } from './scale.ts'
import { accountHolder } from './tilleuls.ts'

const STREETS = [
  'allée des Saules',
  'rue de la Navigation',
  'quai des Berges',
  'allée des Hirondelles',
  'rue Marie-Curie',
  'place du Marché',
  'rue des Mariniers',
  'allée du Héron',
]
/** Homes of the social landlord, served first since the key gives them a rank. */
export const SOCIAL = 14
const HOMES = 93
/** A block that was handed over later. */
const LATER = [60, 70] as const
/** Who came in, and who left, in the middle of a month. */
const CAME = 71
const LEFT = 34
export const home = (n: number) => `berges home ${n}`
export const homesOf = ({ whole, homes }: Scale) => (whole ? HOMES : homes)

const KINDS: { profile: Profile; low: number; high: number; kva: number; share: number }[] = [
  { profile: 'household', low: 1700, high: 3700, kva: 6, share: 50 },
  { profile: 'household-electric-heating', low: 5200, high: 8600, kva: 9, share: 68 },
  { profile: 'heat-pump', low: 4800, high: 8200, kva: 12, share: 82 },
  { profile: 'ev-household', low: 4700, high: 7000, kva: 12, share: 93 },
]

/** Above so many kWh a year, the next larger subscription. */
const LARGE: Partial<Record<Profile, number>> = {
  household: 2400,
  'household-electric-heating': 7000,
  'heat-pump': 7500,
  'ev-household': 5600,
}

/** Kinds are spread over the district rather than standing in blocks. */
function kindOf(n: number) {
  const turn = (n * 29) % HOMES
  const kind = KINDS.find(({ share }) => turn < share) ?? KINDS[0]
  if (!kind || n <= SOCIAL) return { profile: 'household' as const, low: 1600, high: 3000, kva: 6 }
  return kind
}

function holderOf(n: number) {
  if (n === 15) return accountHolder('karim.haddad')
  const person = neighbour(n + 29)
  // Not everybody has an address to be written to.
  if (n === 52) return { ...person, email: '' }
  return n % 3 === 0
    ? { ...person, phone: `06 39 98 ${String(10 + n).slice(0, 2)} ${String(99 - n).padStart(2, '0')}` }
    : person
}

function periodOf(n: number, anchor: string) {
  if (n === CAME) return { startsOn: dayIn(anchor, -3, 17) }
  if (n === LEFT) return { endsOn: dayIn(anchor, -4, 11) }
  return n >= LATER[0] && n < LATER[1] ? { startsOn: dayIn(anchor, -12, 1) } : {}
}

export function bergesHomes(site: Site, scale: Scale): Made[] {
  return Array.from({ length: homesOf(scale) }, (_, at) => at + 1).map((n) => {
    const { profile, low, high, kva } = kindOf(n)
    const yearlyKwh = between(low, high, home(n))
    const street = n <= SOCIAL ? '4 rue des Mariniers' : `${1 + ((n * 7) % 38)} ${STREETS[n % STREETS.length]}`
    const label = n <= SOCIAL ? `Résidence Le Ponton, logement ${n}` : `Logement ${n}`
    return consumer(
      site,
      {
        ref: home(n),
        holder: holderOf(n),
        label,
        address: street,
        kva: yearlyKwh > (LARGE[profile] ?? 0) ? kva + 3 : kva,
        unsigned: n === 44,
        ...periodOf(n, scale.anchor),
      },
      profile,
      yearlyKwh,
    )
  })
}

export const mailbox = (name: string) => emailOf('contact', name)
