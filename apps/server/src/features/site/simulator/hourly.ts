import type { HourlyEstimate, SimulationInput } from '@voisol/contract/simulator'
import { TYPICAL_STEPS } from '@voisol/energy/model/typical'
import { SIMULATOR_CONSTANTS, simulateProject } from '@voisol/energy/simulator'
import { getTypicalCalendar } from '../../energy/projects/projects.ts'
import { explainDifferences } from './differences.ts'
import { toSimulationCase } from './mixes.ts'
import { getUnitCurves, type UnitCurves } from './unit-curves.ts'

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
