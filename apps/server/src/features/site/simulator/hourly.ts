import type { HourlyEstimate, SimulationInput } from '@voisol/contract/simulator'
import { TYPICAL_STEPS } from '@voisol/energy/model/typical'
import { SIMULATOR, simulate } from '@voisol/energy/simulator'
import { typicalCalendar } from '../../energy/projects/projects.ts'
import { differencesOf } from './differences.ts'
import { caseOf } from './mixes.ts'
import { type UnitCurves, unitCurves } from './unit-curves.ts'

const round = (value: number, decimals = 1) => Math.round(value * 10 ** decimals) / 10 ** decimals
const share = (part: number, whole: number) => (whole > 0 ? (part / whole) * 100 : 0)

const DAYS = [
  { label: 'Juin', month: 6, days: 30 },
  { label: 'Décembre', month: 12, days: 31 },
]

type Sums = Pick<HourlyEstimate, 'months' | 'days'> & {
  production: number
  used: number
  consumption: number
  lit: number
}

function balance(curves: UnitCurves, power: number, yearly: number): Sums {
  const { month, hour } = typicalCalendar()
  const months = Array.from({ length: 12 }, () => ({ production: 0, autoconsommation: 0, consommation: 0 }))
  const days = DAYS.map(({ label }) => ({
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
    const mean = DAYS.findIndex((day) => day.month === month[at])
    const slot = days[mean]?.hours[hour[at] ?? 0]
    if (slot) {
      slot.production += production / (DAYS[mean]?.days ?? 1)
      slot.consommation += consommation / (DAYS[mean]?.days ?? 1)
    }
  }
  return { ...sums, months, days }
}

const rounded = <T extends Record<string, number>>(line: T, decimals: number) =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [name, round(value, decimals)])) as T // the same keys

/** The same project, each hour of a typical year: what is produced while it is consumed. */
export async function hourlyEstimate(input: SimulationInput): Promise<HourlyEstimate> {
  const power = input.puissanceInstallee
  const which = caseOf(input)
  const curves = await unitCurves(which)
  const sums = balance(curves, power, input.consommationAnnuelle)
  const kwhPerKwc = curves.production.reduce((sum, value) => sum + value, 0)
  const quick = simulate(input)
  const economies = sums.used * SIMULATOR.eurosPerKwh
  const estimate = {
    productionAnnuelle: round(sums.production),
    kwhPerKwc: round(kwhPerKwc, 0),
    energieAutoconsommee: round(sums.used),
    surplus: round(sums.production - sums.used),
    tauxAutoconsommation: round(share(sums.used, sums.production)),
    tauxAutoproduction: round(share(sums.used, sums.consumption)),
    economiesAnnuelles: round(economies, 2),
    roi: economies > 0 ? round(quick.investissementNet / economies) : null,
    co2Evite: round(sums.used * SIMULATOR.kgCo2PerKwh),
    months: sums.months.map((line) => rounded(line, 1)),
    days: sums.days.map(({ label, hours }) => ({ label, hours: hours.map((line) => rounded(line, 3)) })),
  }
  const litShare = share(sums.lit, sums.consumption)
  return { ...estimate, differences: differencesOf({ input, which, quick, estimate, litShare }) }
}
