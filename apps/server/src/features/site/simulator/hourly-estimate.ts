import { setImmediate } from 'node:timers/promises'
import type {
  HourlyEstimate,
  SimulationInput,
  SimulatorBuilding,
  SimulatorPlace,
  SimulatorProject,
} from '@voisol/contract/simulator'
import {
  formatKwh,
  formatNumber,
  formatPercentValue,
  formatWholeEuros,
  formatYears,
} from '@voisol/documents/pdf/pdf-number-formats'
import { type Coordinates, computeNormalTemperature } from '@voisol/energy/model/climate'
import type { ConsumptionProfile } from '@voisol/energy/model/profiles'
import { computeTypicalHours, computeTypicalLoad, TYPICAL_STEPS } from '@voisol/energy/model/typical-year'
import { SIMULATOR_CONSTANTS, type SimulatorResult, simulateProject } from '@voisol/energy/simulator'
import { getTypicalCalendar } from '../../energy/projects/index.ts'

type SimulationCase = { project: SimulatorProject; place: SimulatorPlace; building: SimulatorBuilding }

/** What is not said is the most usual. */
export const toSimulationCase = ({ projectType, location, typeBatiment }: SimulationInput): SimulationCase => ({
  project: projectType || 'copropriete',
  place: location || 'autre',
  building: typeBatiment || 'existant',
})

/** One place stands for its region: its largest city, and Tours for the rest of the country. */
export const SIMULATOR_PLACES: Record<SimulatorPlace, Coordinates & { label: string; city: string }> = {
  'ile-de-france': { label: 'Île-de-France', city: 'Paris', latitude: 48.86, longitude: 2.35 },
  'auvergne-rhone-alpes': { label: 'Auvergne-Rhône-Alpes', city: 'Lyon', latitude: 45.76, longitude: 4.84 },
  occitanie: { label: 'Occitanie', city: 'Toulouse', latitude: 43.6, longitude: 1.44 },
  'nouvelle-aquitaine': { label: 'Nouvelle-Aquitaine', city: 'Bordeaux', latitude: 44.84, longitude: -0.58 },
  paca: { label: 'Provence-Alpes-Côte d’Azur', city: 'Marseille', latitude: 43.3, longitude: 5.37 },
  autre: { label: 'Autre région', city: 'Tours', latitude: 47.39, longitude: 0.69 },
}
/** A plain roof: facing south, tilted as a roof of tiles usually is. */
export const STANDARD_ROOF = { azimuth: 180, tilt: 25 } as const

/** Parts of the yearly consumption, in percent. */
type ConsumptionMix = Partial<Record<ConsumptionProfile, number>>

/**
 * New homes heat with a heat pump and charge cars; renovated ones have partly left electric radiators; existing ones keep them.
 * Older places of work keep more running day and night, which the profile of common parts stands for.
 */
export const CONSUMPTION_MIXES: Record<SimulatorProject, Record<SimulatorBuilding, ConsumptionMix>> = {
  copropriete: {
    neuf: { 'heat-pump': 60, 'ev-household': 15, household: 10, 'common-parts': 15 },
    renovation: { household: 55, 'heat-pump': 20, 'household-electric-heating': 10, 'common-parts': 15 },
    existant: { household: 60, 'household-electric-heating': 25, 'common-parts': 15 },
  },
  zac: {
    neuf: { 'heat-pump': 40, 'ev-household': 12, office: 22, shop: 12, school: 8, 'common-parts': 6 },
    renovation: { household: 38, 'heat-pump': 14, office: 22, shop: 12, school: 8, 'common-parts': 6 },
    existant: { household: 37, 'household-electric-heating': 15, office: 20, shop: 12, school: 8, 'common-parts': 8 },
  },
  tertiaire: {
    neuf: { office: 65, shop: 32, 'common-parts': 3 },
    renovation: { office: 62, shop: 32, 'common-parts': 6 },
    existant: { office: 58, shop: 32, 'common-parts': 10 },
  },
  industriel: {
    neuf: { workshop: 82, office: 15, 'common-parts': 3 },
    renovation: { workshop: 81, office: 13, 'common-parts': 6 },
    existant: { workshop: 80, office: 10, 'common-parts': 10 },
  },
}

const PROFILE_LABELS: Partial<Record<ConsumptionProfile, string>> = {
  household: 'logements sans chauffage électrique',
  'household-electric-heating': 'logements chauffés à l’électricité',
  'heat-pump': 'logements avec pompe à chaleur',
  'ev-household': 'logements avec véhicule électrique',
  office: 'bureaux',
  shop: 'commerces',
  school: 'école',
  workshop: 'ateliers en deux équipes',
}

/** What a case is made of, the largest part first: « bureaux (58 %), … ». */
function formatMix({ project, building }: SimulationCase): string {
  const homes = project === 'copropriete' || project === 'zac'
  const words = { ...PROFILE_LABELS, 'common-parts': homes ? 'parties communes' : 'équipements permanents' }
  return getMixEntries({ project, building })
    .sort(([, a], [, b]) => b - a)
    .map(([profile, part]) => `${words[profile] ?? profile} (${part}\u00a0%)`)
    .join(', ')
}

const getMixEntries = ({ project, building }: Pick<SimulationCase, 'project' | 'building'>) =>
  Object.entries(CONSUMPTION_MIXES[project][building]) as [ConsumptionProfile, number][] // the keys are its own

/** kWh of each hour of the typical year: for 1 kWc, and for 1 kWh consumed in the year. */
type UnitCurves = { production: Float64Array; consumption: Float64Array }

const SLICE_STEPS = 730
const MEGAWATT = 1e6

/** Others are answered between two slices of the year. */
async function computeProductionCurve(place: SimulatorPlace): Promise<Float64Array> {
  const plant = { peakWatts: MEGAWATT, ...STANDARD_ROOF, place: SIMULATOR_PLACES[place] }
  const curve = new Float64Array(TYPICAL_STEPS)
  for (let from = 0; from < TYPICAL_STEPS; from += SLICE_STEPS) {
    const watts = computeTypicalHours(plant, from, SLICE_STEPS)
    for (let at = 0; at < SLICE_STEPS; at++) curve[from + at] = (watts[at] ?? 0) / MEGAWATT
    await setImmediate()
  }
  return curve
}

/** Sites of one kind differ by their habits, and together they are smoother than any: so many stand for all of them. */
const HABIT_COUNTS: Partial<Record<ConsumptionProfile, number>> = {
  household: 8,
  'household-electric-heating': 5,
  'heat-pump': 6,
  'ev-household': 5,
  'common-parts': 2,
}
const DEFAULT_HABIT_COUNT = 3
const YEARLY_KWH = 6000

async function computeProfileCurve(profile: ConsumptionProfile, place: SimulatorPlace): Promise<Float64Array> {
  const curve = new Float64Array(TYPICAL_STEPS)
  const count = HABIT_COUNTS[profile] ?? DEFAULT_HABIT_COUNT
  for (let habit = 0; habit < count; habit++) {
    const seed = `${profile} ${habit}`
    const watts = computeTypicalLoad(profile, YEARLY_KWH, seed, (minute) =>
      computeNormalTemperature(SIMULATOR_PLACES[place], minute),
    )
    for (let at = 0; at < TYPICAL_STEPS; at++) curve[at] = (curve[at] ?? 0) + (watts[at] ?? 0)
    await setImmediate()
  }
  return normalizeCurve(curve)
}

/** The same shape, one in all. */
function normalizeCurve(curve: Float64Array): Float64Array {
  const total = curve.reduce((sum, value) => sum + value, 0)
  return curve.map((value) => value / total)
}

/** Asked for twice at once, it is made once; a failure is not kept. */
function memoizeByKey<T>(make: (key: string) => Promise<T>) {
  const known = new Map<string, Promise<T>>()
  return (key: string) => {
    const found = known.get(key)
    if (found) return found
    const made = make(key)
    known.set(key, made)
    made.catch(() => known.delete(key))
    return made
  }
}

const splitKey = (key: string) => key.split('|') as [never, never] // made by the callers below
const getProductionCurve = memoizeByKey((key) => computeProductionCurve(splitKey(key)[0]))
const getProfileCurve = memoizeByKey((key) => computeProfileCurve(...splitKey(key)))

const getMixedCurve = memoizeByKey(async (key) => {
  const { project, place, building }: SimulationCase = JSON.parse(key)
  const curve = new Float64Array(TYPICAL_STEPS)
  for (const [name, part] of getMixEntries({ project, building })) {
    const unit = await getProfileCurve(`${name}|${place}`)
    for (let at = 0; at < TYPICAL_STEPS; at++) curve[at] = (curve[at] ?? 0) + ((unit[at] ?? 0) * part) / 100
  }
  return normalizeCurve(curve)
})

async function getUnitCurves({ project, place, building }: SimulationCase): Promise<UnitCurves> {
  return {
    production: await getProductionCurve(place),
    consumption: await getMixedCurve(JSON.stringify({ project, place, building })),
  }
}

type ComparisonInput = {
  input: SimulationInput
  which: SimulationCase
  quick: SimulatorResult
  estimate: Omit<HourlyEstimate, 'differences'>
  /** Percent of the consumption that falls in hours with sun. */
  litShare: number
}

const isClose = (a: number, b: number, part = 0.02) => Math.abs(a - b) <= Math.abs(b) * part

function describeYield({ which, estimate }: ComparisonInput): string {
  const { kwhPerKwc } = estimate
  const gap = (kwhPerKwc / SIMULATOR_CONSTANTS.kwhPerKwc - 1) * 100
  const said = isClose(kwhPerKwc, SIMULATOR_CONSTANTS.kwhPerKwc)
    ? 'la production est presque la même'
    : `la production est ${gap > 0 ? 'plus élevée' : 'plus faible'} de ${formatPercentValue(Math.abs(gap), 0)}`
  return `À ${SIMULATOR_PLACES[which.place].city}, un toit orienté au sud et incliné de ${STANDARD_ROOF.tilt}\u00a0degrés donne ${formatKwh(kwhPerKwc)} par kWc et par an, contre ${formatNumber(SIMULATOR_CONSTANTS.kwhPerKwc)} dans la formule rapide\u00a0: ${said}.`
}

function describeNight({ litShare }: ComparisonInput): string {
  return `${formatPercentValue(litShare, 0)} de la consommation ont lieu aux heures où le toit produit\u00a0; le reste, le soir et la nuit, ne peut pas venir directement du soleil.`
}

function explainRatio(ratio: number): string {
  if (ratio < 30) return 'le toit est petit devant les besoins\u00a0: presque tout ce qu’il produit trouve preneur'
  if (ratio <= 70) return 'aux heures les plus claires, le toit donne plus que les besoins du moment'
  if (ratio <= 100) return 'en été, le toit donne souvent plus que les besoins du moment'
  return 'le toit donne plus que les besoins de l’année\u00a0: une grande part ne peut être que vendue'
}

function describeRates({ input, quick, estimate }: ComparisonInput): string {
  const ratio = (estimate.productionAnnuelle / input.consommationAnnuelle) * 100
  const said = `La production représente ${formatPercentValue(ratio, 0)} de la consommation de l’année\u00a0: ${explainRatio(ratio)}.`
  const rates = `Le bilan horaire trouve ${formatPercentValue(estimate.tauxAutoconsommation)} d’autoconsommation`
  const formula = `la formule rapide, qui ne regarde pas les heures, ${formatPercentValue(quick.tauxAutoconsommation)}`
  return `${said} ${rates}, ${formula}.`
}

function describeSeasons({ estimate }: ComparisonInput): string {
  const [summer = 0, winter = 0] = [5, 11].map((month) => estimate.months[month]?.production ?? 0)
  const left = estimate.surplus
  const season = `Le toit donne ${formatKwh(summer)} en juin et ${formatKwh(winter)} en décembre`
  return left < estimate.productionAnnuelle / 1000
    ? `${season}, et il ne reste presque pas de surplus dans l’année.`
    : `${season}\u00a0; ${formatKwh(left)} de surplus restent dans l’année, dont la vente n’est pas comptée ici.`
}

function describeSavings({ quick, estimate }: ComparisonInput): string {
  const said = `Les économies sont de ${formatWholeEuros(estimate.economiesAnnuelles)} par an au lieu de ${formatWholeEuros(quick.economiesAnnuelles)}`
  if (estimate.roi === null || quick.roi === null) return `${said}.`
  return estimate.roi === quick.roi
    ? `${said}, pour un même retour en ${formatYears(estimate.roi)}.`
    : `${said}, et l’investissement est remboursé en ${formatYears(estimate.roi)} au lieu de ${formatYears(quick.roi)}.`
}

const describeProfile = ({ which }: ComparisonInput) => `Profil de consommation retenu\u00a0: ${formatMix(which)}.`

/** Why the hourly balance and the quick formula do not say the same. */
function explainDifferences(compared: ComparisonInput): string[] {
  const { puissanceInstallee, consommationAnnuelle } = compared.input
  if (puissanceInstallee === 0)
    return [
      'Sans puissance installée, le toit ne produit rien\u00a0: les deux calculs donnent zéro.',
      describeProfile(compared),
    ]
  if (consommationAnnuelle === 0)
    return [
      describeYield(compared),
      `Sans consommation annuelle, personne n’utilise l’énergie\u00a0: le bilan horaire compte tout en surplus et aucune économie, tandis que la formule rapide retient son taux le plus haut, ${formatPercentValue(SIMULATOR_CONSTANTS.highestRate, 0)}.`,
    ]
  return [describeYield, describeNight, describeRates, describeSeasons, describeSavings, describeProfile].map((words) =>
    words(compared),
  )
}

const roundTo = (value: number, decimals = 1) => Math.round(value * 10 ** decimals) / 10 ** decimals
const toPercentage = (part: number, whole: number) => (whole > 0 ? (part / whole) * 100 : 0)

const TYPICAL_DAYS = [
  { label: 'Juin', month: 6, days: 30 },
  { label: 'Décembre', month: 12, days: 31 },
]

type BalanceTotals = Pick<HourlyEstimate, 'months' | 'days'> & {
  production: number
  used: number
  consumption: number
  lit: number
}

function computeBalance(curves: UnitCurves, power: number, yearly: number): BalanceTotals {
  const { month, hour } = getTypicalCalendar()
  const months = Array.from({ length: 12 }, () => ({ production: 0, autoconsommation: 0, consommation: 0 }))
  const days = TYPICAL_DAYS.map(({ label }) => ({
    label,
    hours: Array.from({ length: 24 }, () => ({ production: 0, consommation: 0 })),
  }))
  const sums = { production: 0, used: 0, consumption: 0, lit: 0 }
  for (let at = 0; at < TYPICAL_STEPS; at++) {
    const unit = curves.production[at] ?? 0
    const production = unit * power
    const consommation = (curves.consumption[at] ?? 0) * yearly
    const autoconsommation = Math.min(production, consommation)
    sums.production += production
    sums.used += autoconsommation
    sums.consumption += consommation
    if (unit > 0) sums.lit += consommation
    const line = months[(month[at] ?? 1) - 1]
    if (line) {
      line.production += production
      line.autoconsommation += autoconsommation
      line.consommation += consommation
    }
    const mean = TYPICAL_DAYS.findIndex((day) => day.month === month[at])
    const slot = days[mean]?.hours[hour[at] ?? 0]
    if (slot) {
      slot.production += production / (TYPICAL_DAYS[mean]?.days ?? 1)
      slot.consommation += consommation / (TYPICAL_DAYS[mean]?.days ?? 1)
    }
  }
  return { ...sums, months, days }
}

const roundValues = <T extends Record<string, number>>(line: T, decimals: number) =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [name, roundTo(value, decimals)])) as T // the same keys

/** The same project, each hour of a typical year: what is produced while it is consumed. */
export async function estimateHourly(input: SimulationInput): Promise<HourlyEstimate> {
  const power = input.puissanceInstallee
  const which = toSimulationCase(input)
  const curves = await getUnitCurves(which)
  const sums = computeBalance(curves, power, input.consommationAnnuelle)
  const kwhPerKwc = curves.production.reduce((sum, value) => sum + value, 0)
  const quick = simulateProject(input)
  const economies = sums.used * SIMULATOR_CONSTANTS.eurosPerKwh
  const estimate = {
    productionAnnuelle: roundTo(sums.production),
    kwhPerKwc: roundTo(kwhPerKwc, 0),
    energieAutoconsommee: roundTo(sums.used),
    surplus: roundTo(sums.production - sums.used),
    tauxAutoconsommation: roundTo(toPercentage(sums.used, sums.production)),
    tauxAutoproduction: roundTo(toPercentage(sums.used, sums.consumption)),
    economiesAnnuelles: roundTo(economies, 2),
    roi: economies > 0 ? roundTo(quick.investissementNet / economies) : null,
    co2Evite: roundTo(sums.used * SIMULATOR_CONSTANTS.kgCo2PerKwh),
    months: sums.months.map((line) => roundValues(line, 1)),
    days: sums.days.map(({ label, hours }) => ({ label, hours: hours.map((line) => roundValues(line, 3)) })),
  }
  const litShare = toPercentage(sums.lit, sums.consumption)
  return { ...estimate, differences: explainDifferences({ input, which, quick, estimate, litShare }) }
}
