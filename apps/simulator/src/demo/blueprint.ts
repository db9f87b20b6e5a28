import type { ParticipantLine } from '@voisol/contract/participants'
import type { AllocationMethod } from '@voisol/contract/primitives'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'
import type { ConsumptionProfile } from '@voisol/energy/model/profiles'
import type { operations } from '../../../server/src/db/schema/index.ts'
import { type Coordinates, generatePrm, placeNear } from './identities.ts'

/** The source of simulated readings. */
type DemoReadingSource =
  | { profile: ConsumptionProfile; yearlyKwh: number }
  | { peakWatts: number; azimuth: number; tilt: number; losses: number }
  | { storage: true }
export type PlannedMeter = {
  ref: string
  prm: string
  direction: 'consumption' | 'production'
  source: DemoReadingSource
}
type PlannedKeyShare = { ref: string; producer?: string; share?: number; rank?: number }
export type KeyPlan = { method: AllocationMethod; label: string; startsOn: string; shares: PlannedKeyShare[] }
export type OperationPlan = {
  values: Omit<typeof operations.$inferInsert, 'companyId' | 'latitude' | 'longitude'> &
    Coordinates & { id: string; startsOn: string | null }
  /** In the order in which members join. */
  lines: ParticipantLine[]
  meters: PlannedMeter[]
  keys: KeyPlan[]
}

type Holder = Pick<ParticipantLine, 'kind' | 'name' | 'firstName' | 'lastName' | 'siren' | 'email' | 'phone'>
export type DemoSite = {
  centre: Coordinates
  metres: number
  postalCode: string
  city: string
  startsOn: string
  /** When consents were given, if not shortly before joining. */
  signedOn?: string
}
type PointPlan = {
  ref: string
  holder: Holder
  label: string
  address: string
  /** Where the point is, if not at its holder's address. */
  at?: string
  kva: number
  startsOn?: string
  endsOn?: string
  unsigned?: boolean
}
export type ScenarioMeter = { line: ParticipantLine; meter: PlannedMeter; twin?: PlannedMeter }

const SIGNED_BEFORE = 24

function buildParticipantLine(
  site: DemoSite,
  seat: PointPlan,
  ref: string,
): Omit<ParticipantLine, 'direction' | 'segment'> {
  const startsOn = seat.startsOn ?? site.startsOn
  return {
    ...seat.holder,
    address: seat.address,
    postalCode: site.postalCode,
    city: site.city,
    prm: generatePrm(ref),
    label: seat.label,
    subscribedVa: seat.kva * 1000,
    pointAddress: `${seat.at ?? seat.address}, ${site.postalCode} ${site.city}`,
    ...placeNear(site.centre, seat.ref, site.metres),
    startsOn,
    endsOn: seat.endsOn ?? null,
    agreementSignedOn: seat.unsigned ? null : (site.signedOn ?? addDays(startsOn, -SIGNED_BEFORE)),
  }
}

const getConsumptionSegment = (kva: number) => (kva <= 36 ? 'C5' : kva <= 250 ? 'C4' : 'C2')
const getInjectionSegment = (kva: number) => (kva <= 36 ? 'P4' : kva <= 250 ? 'P3' : 'P2')

export function planConsumer(
  site: DemoSite,
  seat: PointPlan,
  profile: ConsumptionProfile,
  yearlyKwh: number,
): ScenarioMeter {
  const line = {
    ...buildParticipantLine(site, seat, seat.ref),
    direction: 'consumption' as const,
    segment: getConsumptionSegment(seat.kva) as 'C5',
  }
  return {
    line,
    meter: { ref: seat.ref, prm: line.prm, direction: 'consumption', source: { profile, yearlyKwh } },
  }
}

type Panels = { kwc: number; azimuth: number; tilt: number; losses?: number; commissionedOn: string }

export function planProducer(
  site: DemoSite,
  seat: PointPlan,
  { kwc, losses = 0.14, commissionedOn, ...panels }: Panels,
): ScenarioMeter {
  const plant = { peakWatts: kwc * 1000, ...panels }
  const line = {
    ...buildParticipantLine(site, seat, `${seat.ref} injection`),
    ...plant,
    direction: 'production' as const,
    segment: getInjectionSegment(seat.kva) as 'P4',
    commissionedOn,
  }
  const meter: PlannedMeter = { ref: seat.ref, prm: line.prm, direction: 'production', source: { ...plant, losses } }
  return { line, meter }
}

/** One meter in both directions. It has no readings: batteries are in operations that have not started yet. */
export function planBattery(site: DemoSite, seat: PointPlan): ScenarioMeter {
  const line = { ...buildParticipantLine(site, seat, seat.ref), direction: 'consumption' as const, storage: true }
  const meter = { ref: seat.ref, prm: line.prm, source: { storage: true } as const }
  return { line, meter: { ...meter, direction: 'consumption' }, twin: { ...meter, direction: 'production' } }
}

export const combinePlannedPoints = (made: ScenarioMeter[]) => ({
  lines: made.map(({ line }) => line),
  meters: made.flatMap(({ meter, twin }) => (twin ? [meter, twin] : [meter])),
})

/** The size of the demo, and its reference day, to which all its events are relative. */
export type DemoScale = { anchor: string; startsOn: string; homes: number; whole: boolean }

const MONTHS = 18
const HOMES = 24

export const createFullScale = (anchor: string): DemoScale => ({
  anchor,
  startsOn: addMonths(monthOf(anchor), -MONTHS),
  homes: HOMES,
  whole: true,
})

/** A few homes over a few months, for tests. */
export const createSmallScale = (anchor: string, months: number): DemoScale => ({
  ...createFullScale(anchor),
  startsOn: addMonths(monthOf(anchor), -months),
  homes: 3,
  whole: false,
})

/** The nth day of the month that many months from the reference day. */
export const getDayInMonth = (anchor: string, months: number, nth: number) =>
  addDays(addMonths(monthOf(anchor), months), nth - 1)
