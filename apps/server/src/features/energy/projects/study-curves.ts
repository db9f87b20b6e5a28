import { computeNormalTemperature } from '@voisol/energy/model/climate'
import { computeTypicalLoad, computeTypicalYear, TYPICAL_STEPS } from '@voisol/energy/model/typical'
import type { Coordinates } from '@voisol/energy/model/weather'
import { fieldError } from '../../../http/errors.ts'
import { findDepartmentPlace } from './departments.ts'
import { fillMissingWithProfile } from './holes.ts'
import type { CandidateLine, RoofLine } from './lists.ts'
import type { StudyInputs } from './study-inputs.ts'

/** Watt-hours of each hour of the typical year. */
export type HourlyCurve = Int32Array
type OptionalPlace = { latitude: number | null; longitude: number | null }

const toPlace = ({ latitude, longitude }: OptionalPlace): Coordinates | undefined =>
  latitude === null || longitude === null ? undefined : { latitude, longitude }

/** The place of a project: its own, or one of its roofs', or its postal code's department. */
export function requireProjectPlace({ project, roofs }: Pick<StudyInputs, 'project' | 'roofs'>): Coordinates {
  const place = toPlace(project) ?? roofs.map(toPlace).find(Boolean) ?? findDepartmentPlace(project.postalCode)
  if (place) return place
  const message =
    'Indiquez le code postal du projet, ou sa latitude et sa longitude\u00a0: la production dépend du lieu.'
  throw fieldError('postalCode', message)
}

/** Beyond this number, roofs with similar orientation are computed as one. */
const MAX_EXACT_ROOFS = 20
type RoofSlope = { azimuth: number; tilt: number; place: Coordinates; peakWatts: number }

function groupRoofsBySlope(roofs: RoofLine[], defaultPlace: Coordinates): RoofSlope[] {
  const grain = roofs.length > MAX_EXACT_ROOFS ? 10 : 1
  const near = (value: number) => Math.round(value / grain) * grain
  const slopes = new Map<string, RoofSlope>()
  for (const roof of roofs) {
    const { latitude, longitude } = toPlace(roof) ?? defaultPlace
    // Rounded to a tenth of a degree, about ten kilometres: yearly irradiation is the same.
    const place = { latitude: Math.round(latitude * 10) / 10, longitude: Math.round(longitude * 10) / 10 }
    const slope = { azimuth: near(roof.azimuth), tilt: near(roof.tilt), place, peakWatts: 0 }
    const key = JSON.stringify(slope)
    const kept = slopes.get(key) ?? slope
    kept.peakWatts += roof.peakWatts
    slopes.set(key, kept)
  }
  return [...slopes.values()]
}

/** One curve per group of similar roofs. */
export const computeProductionCurves = (roofs: RoofLine[], defaultPlace: Coordinates): HourlyCurve[] =>
  groupRoofsBySlope(roofs, defaultPlace).map((slope) => computeTypicalYear(slope))

/** Households of one profile differ by random habits; after this many, habits repeat at another level. */
const MAX_HABITS = 30

const scaleCurve = (curve: HourlyCurve, factor: number) =>
  factor === 1 ? curve : curve.map((value) => Math.round(value * factor))

type ProfileCurves = Map<string, { yearlyKwh: number; curve: HourlyCurve }>

function getProfileCurve(
  shapes: ProfileCurves,
  { profile, yearlyKwh }: CandidateLine,
  habit: number,
  place: Coordinates,
): HourlyCurve {
  const key = `${profile} ${habit}`
  const known = shapes.get(key)
  if (known) return scaleCurve(known.curve, yearlyKwh / known.yearlyKwh)
  const curve = computeTypicalLoad(profile, yearlyKwh, key, (minute) => computeNormalTemperature(place, minute))
  shapes.set(key, { yearlyKwh, curve })
  return curve
}

/** Only for the shape, when no yearly consumption is given. */
const DEFAULT_YEARLY_KWH = 3000

export type CandidateLoad = { curve: HourlyCurve; measured: boolean }

/** The consumption of each candidate: its readings if sufficient, otherwise its profile. */
export function computeCandidateLoads(
  candidates: CandidateLine[],
  measured: Map<string, HourlyCurve>,
  place: Coordinates,
): CandidateLoad[] {
  const shapes: ProfileCurves = new Map()
  const seen = new Map<string, number>()
  const found: CandidateLoad[] = []
  for (const candidate of candidates) {
    const habit = seen.get(candidate.profile) ?? 0
    seen.set(candidate.profile, (habit + 1) % MAX_HABITS)
    const readings = candidate.pointId ? measured.get(candidate.pointId) : undefined
    const yearlyKwh = candidate.yearlyKwh || (readings ? DEFAULT_YEARLY_KWH : 0)
    const shape = yearlyKwh
      ? getProfileCurve(shapes, { ...candidate, yearlyKwh }, habit, place)
      : new Int32Array(TYPICAL_STEPS)
    found.push(
      readings ? { curve: fillMissingWithProfile(readings, shape), measured: true } : { curve: shape, measured: false },
    )
  }
  return found
}
