export type PerimeterPlace = {
  id: string
  latitude: number
  longitude: number
  /** A place known by its commune alone is drawn at the middle of the commune when known, and decides nothing. */
  precision?: 'address' | 'commune' | 'pin'
}

const isKnown = ({ latitude, longitude }: PerimeterPlace) => Number.isFinite(latitude) && Number.isFinite(longitude)
/** Precise enough to measure a distance from. */
export const isExactPlace = (place: PerimeterPlace) => isKnown(place) && place.precision !== 'commune'

const EARTH_METRES = 6_371_008.8
const radians = (degrees: number) => (degrees * Math.PI) / 180

type Position = Pick<PerimeterPlace, 'latitude' | 'longitude'>

/** Great-circle distance. */
export function computeDistanceMetres(a: Position, b: Position): number {
  const [p, q] = [radians(a.latitude), radians(b.latitude)]
  const half = (from: number, to: number) => Math.sin((to - from) / 2) ** 2
  const h = half(p, q) + Math.cos(p) * Math.cos(q) * half(radians(a.longitude), radians(b.longitude))
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(h)))
}

type Vector = [number, number, number]
const toVector = ({ latitude, longitude }: Position): Vector => {
  const [p, l] = [radians(latitude), radians(longitude)]
  return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)]
}

/** The two points farthest apart. Chords sort as arcs do: the n² comparisons need no trigonometry. */
export function findFarthestPoints<P extends PerimeterPlace>(points: P[]): { metres: number; pair: [P, P] | null } {
  const vectors = points.map(toVector)
  let farthest = -1
  let pair: [P, P] | null = null
  for (const [i, [x, y, z]] of vectors.entries())
    for (let k = i + 1; k < vectors.length; k++) {
      const [u, v, w] = vectors[k] ?? [x, y, z]
      const chord = (x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2
      const [a, b] = [points[i], points[k]]
      if (chord > farthest && a && b) {
        farthest = chord
        pair = [a, b]
      }
    }
  return { metres: pair ? computeDistanceMetres(...pair) : 0, pair }
}

export type PerimeterKind = 'building' | 'extended' | 'periurban' | 'rural' | 'epci'
export type OperationZone = 'metropole' | 'zni'

const BASE_RULE = 'arrêté du 21 novembre 2019 modifié'
const RAISED_RULE = 'arrêté du 21 février 2025'

type PerimeterRule = {
  label: string
  /** Null where the rule sets no distance. */
  km: number | null
  watts: number
  derogation: boolean
  rule: string
}

export const PERIMETER_RULES: Record<PerimeterKind, PerimeterRule> = {
  building: {
    label: 'Même bâtiment',
    km: null,
    watts: 5_000_000,
    derogation: false,
    rule: 'article L. 315-2 du code de l’énergie',
  },
  extended: { label: 'Étendue (2 km)', km: 2, watts: 5_000_000, derogation: false, rule: BASE_RULE },
  periurban: {
    label: 'Dérogation périurbaine (10 km)',
    km: 10,
    watts: 5_000_000,
    derogation: true,
    rule: `${BASE_RULE}, article 1 bis`,
  },
  rural: {
    label: 'Dérogation rurale (20 km)',
    km: 20,
    watts: 5_000_000,
    derogation: true,
    rule: `${BASE_RULE}, article 1 bis`,
  },
  epci: { label: 'Dérogation service public (EPCI)', km: null, watts: 10_000_000, derogation: true, rule: RAISED_RULE },
}
const ZNI_WATTS = 500_000
/** Beyond this, points declared to share one building should be checked. */
const BUILDING_METRES = 200

export type PerimeterProblem = {
  code: 'distance' | 'power' | 'building' | 'derogation' | 'location' | 'precision'
  severity: 'refused' | 'warning'
  message: string
  rule: string
  pair?: [string, string]
}
type PerimeterInput = { perimeter: PerimeterKind; zone: OperationZone; points: PerimeterPlace[]; watts: number }

const french = (value: number, digits: number) => String(Number(value.toFixed(digits))).replace('.', ',')
const km = (metres: number) => `${french(metres / 1000, 2)}\u00A0km`
const megawatts = (watts: number) => `${french(watts / 1_000_000, 3)}\u00A0MW`

function findDistanceProblems({ perimeter, points }: PerimeterInput): PerimeterProblem[] {
  const { km: limit, rule } = PERIMETER_RULES[perimeter]
  const { metres, pair } = findFarthestPoints(points)
  if (!pair) return []
  const ids: [string, string] = [pair[0].id, pair[1].id]
  if (limit !== null && metres > limit * 1000) {
    const message = `Les deux points les plus éloignés sont à ${km(metres)}, au-delà de ${limit}\u00A0km.`
    return [{ code: 'distance', severity: 'refused', message, rule, pair: ids }]
  }
  if (perimeter !== 'building' || metres <= BUILDING_METRES) return []
  const message = `Deux points du même bâtiment sont à ${Math.round(metres)}\u00A0m l’un de l’autre\u00A0: vérifiez leurs adresses.`
  return [{ code: 'building', severity: 'warning', message, rule, pair: ids }]
}

function findPowerProblems({ perimeter, zone, watts }: PerimeterInput): PerimeterProblem[] {
  const cap = zone === 'zni' ? ZNI_WATTS : PERIMETER_RULES[perimeter].watts
  // The text says 'inférieure à' (below): the cap itself is already too much.
  if (watts < cap) return []
  const message = `La puissance cumulée est de ${megawatts(watts)}\u00A0: elle doit rester inférieure à ${megawatts(cap)}.`
  const rule = zone === 'zni' ? BASE_RULE : perimeter === 'epci' ? RAISED_RULE : `${BASE_RULE} par l’${RAISED_RULE}`
  return [{ code: 'power', severity: 'refused', message, rule }]
}

/** The problems of an operation under the rules of proximity and power, in French, each with its legal text. */
export function findPerimeterProblems(input: PerimeterInput): PerimeterProblem[] {
  const { label, derogation, rule } = PERIMETER_RULES[input.perimeter]
  const located = input.points.filter(isExactPlace)
  // A commune without coordinates cannot be drawn on a map, but the place is known.
  const lost = input.points.filter((place) => !isKnown(place) && place.precision !== 'commune').length
  const vague = input.points.length - located.length - lost
  const problems = [...findDistanceProblems({ ...input, points: located }), ...findPowerProblems(input)]
  if (lost > 0) {
    const message = `${lost} point${lost > 1 ? 's' : ''} sans coordonnées\u00A0: la distance n’a pas pu être vérifiée.`
    problems.push({ code: 'location', severity: 'warning', message, rule })
  }
  if (vague > 0) {
    const message = `${vague} point${vague > 1 ? 's ne sont situés' : ' n’est situé'} que par ${vague > 1 ? 'leur' : 'sa'} commune\u00A0: la distance reste à vérifier.`
    problems.push({ code: 'precision', severity: 'warning', message, rule })
  }
  if (derogation) {
    const message = `«\u00A0${label}\u00A0» suppose une dérogation accordée par le ministre chargé de l’énergie.`
    problems.push({ code: 'derogation', severity: 'warning', message, rule })
  }
  return problems
}

/** Whether the rules are met: unsure while a place is missing, or known by its commune alone. */
export function getPerimeterVerdict(problems: PerimeterProblem[]): 'fine' | 'unsure' | 'refused' {
  if (problems.some(({ severity }) => severity === 'refused')) return 'refused'
  return problems.some(({ code }) => code === 'location' || code === 'precision') ? 'unsure' : 'fine'
}
