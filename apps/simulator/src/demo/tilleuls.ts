import { addDays } from '@voisol/energy/calendar'
import type { ConsumptionProfile } from '@voisol/energy/model/profiles'
import {
  combinePlannedPoints,
  type DemoScale,
  type DemoSite,
  getDayInMonth,
  type OperationPlan,
  planConsumer,
  planProducer,
  type ScenarioMeter,
} from './blueprint.ts'
import { createNeighbour, generateSiren, pickBetween, splitMillionths, TILLEULS_ID } from './identities.ts'
import { DEMO_PEOPLE } from './people.ts'

const ADDRESS = '27 rue des Tilleuls'
const CENTRE = { latitude: 45.74702, longitude: 4.84186 }
/** People with an account have the first flats. */
const ACCOUNTS = [
  'client',
  'sophie.girard',
  'amina.benali',
  'luc.moreau',
  'ines.carvalho',
  'paul.nguyen',
  'mathilde.petit',
]
/** The flat that is sold. */
const SOLD_FLAT = 13
export const getFlatRef = (n: number) => `tilleuls ${n}`

const COOWNERS = {
  kind: 'organisation' as const,
  name: 'Syndicat des copropriétaires Les Tilleuls',
  siren: generateSiren('tilleuls'),
  email: 'syndic.tilleuls@demo.voisol.fr',
  phone: '04 65 71 20 08',
}

export function createAccountHolder(name: string) {
  const person = DEMO_PEOPLE.find(({ email }) => email === `${name}@demo.voisol.fr`)
  if (!person) throw new Error(`${name} has no account`)
  const { firstName, lastName, email, phone } = person
  return { kind: 'person' as const, firstName, lastName, email, phone }
}

const getHolder = (n: number) => {
  const account = ACCOUNTS[n - 1]
  return account ? createAccountHolder(account) : createNeighbour(n)
}
const getFloor = (n: number) => Math.floor((n - 1) / 4)
const formatFloor = (floor: number) => (floor === 0 ? 'rez-de-chaussée' : floor === 1 ? '1er étage' : `${floor}e étage`)
/** Square metres: flats at the ends of the building are large. */
const getArea = (n: number) => [78, 54, 41, 92][(n - 1) % 4] ?? 60

function getHomeProfile(n: number): { profile: ConsumptionProfile; yearlyKwh: number; kva: number } {
  const area = getArea(n)
  if (n % 6 === 4)
    return { profile: 'household-electric-heating', yearlyKwh: area * pickBetween(68, 82, getFlatRef(n)), kva: 9 }
  if (n === 9 || n === 17) return { profile: 'ev-household', yearlyKwh: area * 28 + 2600, kva: 12 }
  return { profile: 'household', yearlyKwh: area * pickBetween(26, 42, getFlatRef(n)) + 950, kva: area > 60 ? 9 : 6 }
}

function buildFlats(site: DemoSite, { homes, anchor }: DemoScale): ScenarioMeter[] {
  return Array.from({ length: homes }, (_, at) => at + 1).flatMap((n) => {
    const { profile, yearlyKwh, kva } = getHomeProfile(n)
    const label = `Appartement ${getFloor(n)}0${((n - 1) % 4) + 1}, ${formatFloor(getFloor(n))}`
    const seat = { ref: getFlatRef(n), holder: getHolder(n), label, address: ADDRESS, kva }
    if (n !== SOLD_FLAT) return [planConsumer(site, seat, profile, yearlyKwh)]
    const on = getDayInMonth(anchor, -5, 12)
    const next = { ...seat, holder: createNeighbour(140), startsOn: on }
    return [
      planConsumer(site, { ...seat, endsOn: on }, profile, yearlyKwh),
      planConsumer(site, next, profile, yearlyKwh),
    ]
  })
}

export function buildTilleuls(scale: DemoScale): OperationPlan {
  const startsOn = scale.startsOn
  const site = { centre: CENTRE, metres: 18, postalCode: '69007', city: 'Lyon', startsOn }
  const common = { holder: COOWNERS, address: ADDRESS }
  const homes = buildFlats(site, scale)
  const made = [
    ...homes,
    planConsumer(
      site,
      { ...common, ref: 'tilleuls common', label: 'Parties communes et ascenseurs', kva: 24 },
      'common-parts',
      13_800,
    ),
    planProducer(
      site,
      { ...common, ref: 'tilleuls roof', label: 'Toiture de la résidence', kva: 36 },
      { kwc: 36, azimuth: 172, tilt: 18, commissionedOn: addDays(startsOn, -40) },
    ),
  ]
  const refs = [...Array.from({ length: scale.homes }, (_, at) => getFlatRef(at + 1)), 'tilleuls common']
  const shares = splitMillionths([...refs.slice(0, -1).map((_, at) => getArea(at + 1)), 240])
  const { lines, meters } = combinePlannedPoints(made)
  return {
    values: {
      id: TILLEULS_ID,
      name: 'Résidence Les Tilleuls',
      accNumber: 'ACC00001274',
      status: 'active',
      description:
        'Copropriété de 24 logements. La toiture alimente d’abord les parties communes et les appartements\u00a0; le surplus est vendu.',
      pmoName: 'Association Les Toits Partagés',
      pmoSiren: generateSiren('toits partages'),
      address: ADDRESS,
      postalCode: '69007',
      city: 'Lyon',
      ...CENTRE,
      perimeter: 'building',
      capacityWatts: 36_000,
      startsOn,
      surplusBuyer: 'Enercoop',
      unitPrice: 1350,
    },
    lines,
    meters: [...new Map(meters.map((meter) => [meter.prm, meter])).values()],
    keys: [
      {
        method: 'static',
        label: 'Parts selon les tantièmes',
        startsOn,
        shares: refs.map((ref, at) => ({ ref, share: shares[at] ?? 0 })),
      },
      {
        method: 'default',
        label: 'Au prorata des consommations',
        startsOn: getDayInMonth(scale.anchor, -8, 15),
        shares: [],
      },
    ].filter((key) => key.startsOn >= startsOn) as OperationPlan['keys'], // the literals are methods
  }
}
