import { computeNormalTemperature } from '@voisol/energy/model/climate'
import { computeTypicalLoad, computeTypicalYear, TYPICAL_STEPS } from '@voisol/energy/model/typical-year'
import type { Coordinates } from '@voisol/energy/model/weather'
import { fieldError } from '../../../http/errors.ts'
import type { CandidateLine, RoofLine } from './project-lists.ts'
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

/**
 * Coordinates of the chief town of each department, by the first digits of its postal codes: precise enough for solar
 * production.
 */
const DEPARTMENT_TOWNS = `
01 46.21 5.23|02 49.56 3.62|03 46.57 3.33|04 44.09 6.24|05 44.56 6.08|06 43.70 7.27|07 44.74 4.60|08 49.77 4.72
09 42.96 1.61|10 48.30 4.07|11 43.21 2.35|12 44.35 2.57|13 43.30 5.37|14 49.18 -0.37|15 44.93 2.44|16 45.65 0.16
17 46.16 -1.15|18 47.08 2.40|19 45.27 1.77|20 42.30 9.15|21 47.32 5.04|22 48.51 -2.77|23 46.17 1.87|24 45.18 0.72
25 47.24 6.02|26 44.93 4.89|27 49.02 1.15|28 48.45 1.49|29 48.00 -4.10|30 43.84 4.36|31 43.60 1.44|32 43.65 0.59
33 44.84 -0.58|34 43.61 3.88|35 48.11 -1.68|36 46.81 1.69|37 47.39 0.69|38 45.19 5.72|39 46.67 5.55|40 43.89 -0.50
41 47.59 1.33|42 45.44 4.39|43 45.04 3.88|44 47.22 -1.55|45 47.90 1.91|46 44.45 1.44|47 44.20 0.62|48 44.52 3.50
49 47.47 -0.55|50 49.12 -1.09|51 48.96 4.36|52 48.11 5.14|53 48.07 -0.77|54 48.69 6.18|55 48.77 5.16|56 47.66 -2.76
57 49.12 6.18|58 46.99 3.16|59 50.63 3.06|60 49.43 2.08|61 48.43 0.09|62 50.29 2.78|63 45.78 3.08|64 43.30 -0.37
65 43.23 0.07|66 42.70 2.90|67 48.58 7.75|68 48.08 7.36|69 45.76 4.84|70 47.62 6.16|71 46.31 4.83|72 48.00 0.20
73 45.56 5.92|74 45.90 6.12|75 48.86 2.35|76 49.44 1.10|77 48.54 2.66|78 48.80 2.13|79 46.32 -0.46|80 49.89 2.30
81 43.93 2.15|82 44.02 1.36|83 43.12 5.93|84 43.95 4.81|85 46.67 -1.43|86 46.58 0.34|87 45.83 1.26|88 48.17 6.45
89 47.80 3.57|90 47.64 6.86|91 48.63 2.44|92 48.89 2.21|93 48.91 2.44|94 48.79 2.46|95 49.04 2.06
971 16.00 -61.73|972 14.61 -61.08|973 4.92 -52.31|974 -20.88 55.45|976 -12.78 45.23`

const placesByDepartment = new Map<string, Coordinates>(
  DEPARTMENT_TOWNS.trim()
    .split(/[|\n]/)
    .map((line) => {
      const [code = '', latitude, longitude] = line.split(' ')
      return [code, { latitude: Number(latitude), longitude: Number(longitude) }]
    }),
)

/** The place of a postal code's department; undefined for an unknown one. */
const findDepartmentPlace = (postalCode: string): Coordinates | undefined =>
  placesByDepartment.get(postalCode.slice(0, 3)) ?? placesByDepartment.get(postalCode.slice(0, 2))

/** Fills gaps with the profile's shape, scaled to the readings received. */
function fillMissingWithProfile(load: Int32Array, shape: Int32Array): Int32Array {
  let received = 0
  let expected = 0
  load.forEach((value, at) => {
    if (value < 0) return
    received += value
    expected += shape[at] ?? 0
  })
  const scale = expected > 0 ? received / expected : 0
  return load.map((value, at) => (value < 0 ? Math.round((shape[at] ?? 0) * scale) : value))
}
