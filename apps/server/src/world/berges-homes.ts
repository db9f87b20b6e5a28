import type { ConsumptionProfile } from '@voisol/energy/model/profiles'
import { type DemoSite, planConsumer, type ScenarioMeter } from './blueprint.ts'
import { buildDemoEmail, createNeighbour } from './names.ts'
import { pickBetween } from './numbers.ts'
import { type DemoScale, getDayInMonth } from './scale.ts'
import { createAccountHolder } from './tilleuls.ts'

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
/** Homes of the social landlord, which the key serves first by rank. */
export const SOCIAL_HOMES_COUNT = 14
const HOMES_COUNT = 93
/** A building that was handed over later. */
const LATE_BLOCK = [60, 70] as const
/** Homes that joined and left in the middle of a month. */
const ENTERING_HOME = 71
const LEAVING_HOME = 34
export const getBergesHomeRef = (n: number) => `berges home ${n}`
export const countHomes = ({ whole, homes }: DemoScale) => (whole ? HOMES_COUNT : homes)

const HOME_KINDS: { profile: ConsumptionProfile; low: number; high: number; kva: number; share: number }[] = [
  { profile: 'household', low: 1700, high: 3700, kva: 6, share: 50 },
  { profile: 'household-electric-heating', low: 5200, high: 8600, kva: 9, share: 68 },
  { profile: 'heat-pump', low: 4800, high: 8200, kva: 12, share: 82 },
  { profile: 'ev-household', low: 4700, high: 7000, kva: 12, share: 93 },
]

/** Above this yearly consumption in kWh, a home has the next larger subscribed power. */
const LARGE_HOME_KWH: Partial<Record<ConsumptionProfile, number>> = {
  household: 2400,
  'household-electric-heating': 7000,
  'heat-pump': 7500,
  'ev-household': 5600,
}

/** Kinds of homes are spread over the district. */
function getHomeKind(n: number) {
  const turn = (n * 29) % HOMES_COUNT
  const kind = HOME_KINDS.find(({ share }) => turn < share) ?? HOME_KINDS[0]
  if (!kind || n <= SOCIAL_HOMES_COUNT) return { profile: 'household' as const, low: 1600, high: 3000, kva: 6 }
  return kind
}

function getHolder(n: number) {
  if (n === 15) return createAccountHolder('karim.haddad')
  const person = createNeighbour(n + 29)
  // Some people have no e-mail address.
  if (n === 52) return { ...person, email: '' }
  return n % 3 === 0
    ? { ...person, phone: `06 39 98 ${String(10 + n).slice(0, 2)} ${String(99 - n).padStart(2, '0')}` }
    : person
}

function getMembershipPeriod(n: number, anchor: string) {
  if (n === ENTERING_HOME) return { startsOn: getDayInMonth(anchor, -3, 17) }
  if (n === LEAVING_HOME) return { endsOn: getDayInMonth(anchor, -4, 11) }
  return n >= LATE_BLOCK[0] && n < LATE_BLOCK[1] ? { startsOn: getDayInMonth(anchor, -12, 1) } : {}
}

export function buildBergesHomes(site: DemoSite, scale: DemoScale): ScenarioMeter[] {
  return Array.from({ length: countHomes(scale) }, (_, at) => at + 1).map((n) => {
    const { profile, low, high, kva } = getHomeKind(n)
    const yearlyKwh = pickBetween(low, high, getBergesHomeRef(n))
    const street =
      n <= SOCIAL_HOMES_COUNT ? '4 rue des Mariniers' : `${1 + ((n * 7) % 38)} ${STREETS[n % STREETS.length]}`
    const label = n <= SOCIAL_HOMES_COUNT ? `Résidence Le Ponton, logement ${n}` : `Logement ${n}`
    return planConsumer(
      site,
      {
        ref: getBergesHomeRef(n),
        holder: getHolder(n),
        label,
        address: street,
        kva: yearlyKwh > (LARGE_HOME_KWH[profile] ?? 0) ? kva + 3 : kva,
        unsigned: n === 44,
        ...getMembershipPeriod(n, scale.anchor),
      },
      profile,
      yearlyKwh,
    )
  })
}

export const getContactEmail = (name: string) => buildDemoEmail('contact', name)
