import type { ParticipantLine } from '@voisol/contract/participants'
import type { Method } from '@voisol/contract/primitives'
import { addDays } from '@voisol/energy/calendar'
import type { Profile } from '@voisol/energy/model/profiles'
import type { operations } from '../db/schema/index.ts'
import { near, type Place, prmOf } from './numbers.ts'

/** What a meter would have read. */
export type Source =
  | { profile: Profile; yearlyKwh: number }
  | { peakWatts: number; azimuth: number; tilt: number; losses: number }
  | { storage: true }
export type Meter = { ref: string; prm: string; direction: 'consumption' | 'production'; source: Source }
export type Share = { ref: string; producer?: string; share?: number; rank?: number }
export type KeyPlan = { method: Method; label: string; startsOn: string; shares: Share[] }
export type OperationPlan = {
  values: Omit<typeof operations.$inferInsert, 'companyId' | 'latitude' | 'longitude'> &
    Place & { id: string; startsOn: string | null }
  /** In the order in which people come in. */
  lines: ParticipantLine[]
  meters: Meter[]
  keys: KeyPlan[]
}

type Holder = Pick<ParticipantLine, 'kind' | 'name' | 'firstName' | 'lastName' | 'siren' | 'email' | 'phone'>
export type Site = {
  centre: Place
  metres: number
  postalCode: string
  city: string
  startsOn: string
  /** When people agreed, if it is not shortly before they come in. */
  signedOn?: string
}
type Seat = {
  ref: string
  holder: Holder
  label: string
  address: string
  /** Where the point stands, if it is not where its holder lives. */
  at?: string
  kva: number
  startsOn?: string
  endsOn?: string
  unsigned?: boolean
}
export type Made = { line: ParticipantLine; meter: Meter; twin?: Meter }

const SIGNED_BEFORE = 24

function lineOf(site: Site, seat: Seat, ref: string): Omit<ParticipantLine, 'direction' | 'segment'> {
  const startsOn = seat.startsOn ?? site.startsOn
  return {
    ...seat.holder,
    address: seat.address,
    postalCode: site.postalCode,
    city: site.city,
    prm: prmOf(ref),
    label: seat.label,
    subscribedVa: seat.kva * 1000,
    pointAddress: `${seat.at ?? seat.address}, ${site.postalCode} ${site.city}`,
    ...near(site.centre, seat.ref, site.metres),
    startsOn,
    endsOn: seat.endsOn ?? null,
    agreementSignedOn: seat.unsigned ? null : (site.signedOn ?? addDays(startsOn, -SIGNED_BEFORE)),
  }
}

const drawn = (kva: number) => (kva <= 36 ? 'C5' : kva <= 250 ? 'C4' : 'C2')
const injected = (kva: number) => (kva <= 36 ? 'P4' : kva <= 250 ? 'P3' : 'P2')

export function consumer(site: Site, seat: Seat, profile: Profile, yearlyKwh: number): Made {
  const line = { ...lineOf(site, seat, seat.ref), direction: 'consumption' as const, segment: drawn(seat.kva) as 'C5' }
  return {
    line,
    meter: { ref: seat.ref, prm: line.prm, direction: 'consumption', source: { profile, yearlyKwh } },
  }
}

type Panels = { kwc: number; azimuth: number; tilt: number; losses?: number; commissionedOn: string }

export function producer(site: Site, seat: Seat, { kwc, losses = 0.14, commissionedOn, ...panels }: Panels): Made {
  const plant = { peakWatts: kwc * 1000, ...panels }
  const line = {
    ...lineOf(site, seat, `${seat.ref} injection`),
    ...plant,
    direction: 'production' as const,
    segment: injected(seat.kva) as 'P4',
    commissionedOn,
  }
  const meter: Meter = { ref: seat.ref, prm: line.prm, direction: 'production', source: { ...plant, losses } }
  return { line, meter }
}

/** One meter in both directions. It reads nothing: those there are wait for their operation to begin. */
export function battery(site: Site, seat: Seat): Made {
  const line = { ...lineOf(site, seat, seat.ref), direction: 'consumption' as const, storage: true }
  const meter = { ref: seat.ref, prm: line.prm, source: { storage: true } as const }
  return { line, meter: { ...meter, direction: 'consumption' }, twin: { ...meter, direction: 'production' } }
}

export const assemble = (made: Made[]) => ({
  lines: made.map(({ line }) => line),
  meters: made.flatMap(({ meter, twin }) => (twin ? [meter, twin] : [meter])),
})
