import { addDays } from '@voisol/energy/calendar'
import type { Profile } from '@voisol/energy/model/profiles'
import { PEOPLE } from '../db/seed/people.ts'
import { assemble, consumer, type Made, type OperationPlan, producer, type Site } from './blueprint.ts'
import { TILLEULS } from './ids.ts'
import { neighbour } from './names.ts'
import { between, sharesOf, sirenOf } from './numbers.ts'
import { dayIn, type Scale } from './scale.ts'

const ADDRESS = '27 rue des Tilleuls'
const CENTRE = { latitude: 45.74702, longitude: 4.84186 }
/** Who has an account takes the first flats. */
const ACCOUNTS = [
  'client',
  'sophie.girard',
  'amina.benali',
  'luc.moreau',
  'ines.carvalho',
  'paul.nguyen',
  'mathilde.petit',
]
/** The flat that changes hands. */
const SOLD = 13
export const flat = (n: number) => `tilleuls ${n}`

const COOWNERS = {
  kind: 'organisation' as const,
  name: 'Syndicat des copropriétaires Les Tilleuls',
  siren: sirenOf('tilleuls'),
  email: 'syndic.tilleuls@demo.voisol.fr',
  phone: '04 65 71 20 08',
}

export function accountHolder(name: string) {
  const person = PEOPLE.find(({ email }) => email === `${name}@demo.voisol.fr`)
  if (!person) throw new Error(`${name} has no account`)
  const { firstName, lastName, email, phone } = person
  return { kind: 'person' as const, firstName, lastName, email, phone }
}

const holderOf = (n: number) => {
  const account = ACCOUNTS[n - 1]
  return account ? accountHolder(account) : neighbour(n)
}
const floorOf = (n: number) => Math.floor((n - 1) / 4)
const floorName = (floor: number) => (floor === 0 ? 'rez-de-chaussée' : floor === 1 ? '1er étage' : `${floor}e étage`)
/** Square metres: the ends of the building have the large flats. */
const areaOf = (n: number) => [78, 54, 41, 92][(n - 1) % 4] ?? 60

function homeOf(n: number): { profile: Profile; yearlyKwh: number; kva: number } {
  const area = areaOf(n)
  if (n % 6 === 4) return { profile: 'household-electric-heating', yearlyKwh: area * between(68, 82, flat(n)), kva: 9 }
  if (n === 9 || n === 17) return { profile: 'ev-household', yearlyKwh: area * 28 + 2600, kva: 12 }
  return { profile: 'household', yearlyKwh: area * between(26, 42, flat(n)) + 950, kva: area > 60 ? 9 : 6 }
}

function flats(site: Site, { homes, anchor }: Scale): Made[] {
  return Array.from({ length: homes }, (_, at) => at + 1).flatMap((n) => {
    const { profile, yearlyKwh, kva } = homeOf(n)
    const label = `Appartement ${floorOf(n)}0${((n - 1) % 4) + 1}, ${floorName(floorOf(n))}`
    const seat = { ref: flat(n), holder: holderOf(n), label, address: ADDRESS, kva }
    if (n !== SOLD) return [consumer(site, seat, profile, yearlyKwh)]
    const on = dayIn(anchor, -5, 12)
    const next = { ...seat, holder: neighbour(140), startsOn: on }
    return [consumer(site, { ...seat, endsOn: on }, profile, yearlyKwh), consumer(site, next, profile, yearlyKwh)]
  })
}

export function tilleuls(scale: Scale): OperationPlan {
  const startsOn = scale.startsOn
  const site = { centre: CENTRE, metres: 18, postalCode: '69007', city: 'Lyon', startsOn }
  const common = { holder: COOWNERS, address: ADDRESS }
  const homes = flats(site, scale)
  const made = [
    ...homes,
    consumer(
      site,
      { ...common, ref: 'tilleuls common', label: 'Parties communes et ascenseurs', kva: 24 },
      'common-parts',
      13_800,
    ),
    producer(
      site,
      { ...common, ref: 'tilleuls roof', label: 'Toiture de la résidence', kva: 36 },
      { kwc: 36, azimuth: 172, tilt: 18, commissionedOn: addDays(startsOn, -40) },
    ),
  ]
  const refs = [...Array.from({ length: scale.homes }, (_, at) => flat(at + 1)), 'tilleuls common']
  const shares = sharesOf([...refs.slice(0, -1).map((_, at) => areaOf(at + 1)), 240])
  const { lines, meters } = assemble(made)
  return {
    values: {
      id: TILLEULS,
      name: 'Résidence Les Tilleuls',
      accNumber: 'ACC00001274',
      status: 'active',
      description:
        'Copropriété de 24 logements. La toiture alimente d’abord les parties communes et les appartements\u00a0; le surplus est vendu.',
      pmoName: 'Association Les Toits Partagés',
      pmoSiren: sirenOf('toits partages'),
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
      { method: 'default', label: 'Au prorata des consommations', startsOn: dayIn(scale.anchor, -8, 15), shares: [] },
    ].filter((key) => key.startsOn >= startsOn) as OperationPlan['keys'], // the literals are methods
  }
}
