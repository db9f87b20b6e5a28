import { normalTemperature } from '@voisol/energy/model/climate'
import { TYPICAL_STEPS, typicalLoad, typicalYear } from '@voisol/energy/model/typical'
import type { Place } from '@voisol/energy/model/weather'
import { fieldError } from '../../../http/errors.ts'
import { departmentPlace } from './departments.ts'
import { fillHoles } from './holes.ts'
import type { CandidateLine, RoofLine } from './lists.ts'
import type { StudyInputs } from './study-inputs.ts'

/** Watt-hours of each hour of the typical year. */
export type Curve = Int32Array
type Located = { latitude: number | null; longitude: number | null }

const placed = ({ latitude, longitude }: Located): Place | undefined =>
  latitude === null || longitude === null ? undefined : { latitude, longitude }

/** Where a project lies: what it says, else one of its roofs, else the department of its postal code. */
export function placeOf({ project, roofs }: Pick<StudyInputs, 'project' | 'roofs'>): Place {
  const place = placed(project) ?? roofs.map(placed).find(Boolean) ?? departmentPlace(project.postalCode)
  if (place) return place
  const message =
    'Indiquez le code postal du projet, ou sa latitude et sa longitude\u00a0: la production dépend du lieu.'
  throw fieldError('postalCode', message)
}

/** Beyond so many roofs, those that face nearly the same way are reckoned as one. */
const MANY_ROOFS = 20
type Slope = { azimuth: number; tilt: number; place: Place; peakWatts: number }

function slopesOf(roofs: RoofLine[], usual: Place): Slope[] {
  const grain = roofs.length > MANY_ROOFS ? 10 : 1
  const near = (value: number) => Math.round(value / grain) * grain
  const slopes = new Map<string, Slope>()
  for (const roof of roofs) {
    const { latitude, longitude } = placed(roof) ?? usual
    // Ten kilometres see the same sky over a year.
    const place = { latitude: Math.round(latitude * 10) / 10, longitude: Math.round(longitude * 10) / 10 }
    const slope = { azimuth: near(roof.azimuth), tilt: near(roof.tilt), place, peakWatts: 0 }
    const key = JSON.stringify(slope)
    const kept = slopes.get(key) ?? slope
    kept.peakWatts += roof.peakWatts
    slopes.set(key, kept)
  }
  return [...slopes.values()]
}

/** One curve per way the roofs face. */
export const production = (roofs: RoofLine[], usual: Place): Curve[] =>
  slopesOf(roofs, usual).map((slope) => typicalYear(slope))

/** Households of one profile differ by their habits; after so many, the same habits come again at another level. */
const HABITS = 30

const scaled = (curve: Curve, factor: number) =>
  factor === 1 ? curve : curve.map((value) => Math.round(value * factor))

type Shapes = Map<string, { yearlyKwh: number; curve: Curve }>

function shapeOf(shapes: Shapes, { profile, yearlyKwh }: CandidateLine, habit: number, place: Place): Curve {
  const key = `${profile} ${habit}`
  const known = shapes.get(key)
  if (known) return scaled(known.curve, yearlyKwh / known.yearlyKwh)
  const curve = typicalLoad(profile, yearlyKwh, key, (minute) => normalTemperature(place, minute))
  shapes.set(key, { yearlyKwh, curve })
  return curve
}

/** For the shape alone, where nobody said how much. */
const ANY_KWH = 3000

export type Load = { curve: Curve; measured: boolean }

/** What each candidate would take: the readings of the point where there are enough, else the profile. */
export function loads(candidates: CandidateLine[], measured: Map<string, Curve>, place: Place): Load[] {
  const shapes: Shapes = new Map()
  const seen = new Map<string, number>()
  const found: Load[] = []
  for (const candidate of candidates) {
    const habit = seen.get(candidate.profile) ?? 0
    seen.set(candidate.profile, (habit + 1) % HABITS)
    const readings = candidate.pointId ? measured.get(candidate.pointId) : undefined
    const yearlyKwh = candidate.yearlyKwh || (readings ? ANY_KWH : 0)
    const shape = yearlyKwh ? shapeOf(shapes, { ...candidate, yearlyKwh }, habit, place) : new Int32Array(TYPICAL_STEPS)
    found.push(readings ? { curve: fillHoles(readings, shape), measured: true } : { curve: shape, measured: false })
  }
  return found
}
