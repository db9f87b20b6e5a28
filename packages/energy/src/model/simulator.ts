/** The constants of the public simulator. */
export const SIMULATOR_CONSTANTS = {
  kwhPerKwc: 1100,
  baseRate: 60,
  rateSlope: 20,
  highestRate: 95,
  eurosPerKwh: 0.15,
  eurosPerKwc: 1200,
  subsidyPercent: 30,
  subsidyCap: 50_000,
  kgCo2PerKwh: 0.221,
  years: 20,
} as const

type SimulatorInput = {
  /** kWc */
  puissanceInstallee?: number
  /** kWh a year */
  consommationAnnuelle?: number
  nbLogements?: number
}
type SimulatorYear = { annee: number; economiesCumulees: number; bilan: number }
export type SimulatorResult = {
  productionAnnuelle: number
  /** Percent. */
  tauxAutoconsommation: number
  energieAutoconsommee: number
  economiesAnnuelles: number
  /** Null without a number of homes. */
  economiesParLogement: number | null
  investissementBrut: number
  aide: number
  investissementNet: number
  /** Years, one decimal; null when nothing is saved. */
  roi: number | null
  /** Kilograms a year. */
  co2Evite: number
  projection: SimulatorYear[]
}

const toPositiveAmount = (value: number | undefined): number =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : 0

/**
 * 60 + power / consumption × 20, at most 95 %; without consumption the ratio has no bound, so that the rate is the
 * highest.
 */
function computeSelfConsumptionRate(power: number, consumption: number): number {
  const { baseRate, rateSlope, highestRate } = SIMULATOR_CONSTANTS
  if (power === 0) return baseRate
  return consumption === 0 ? highestRate : Math.min(highestRate, baseRate + (power / consumption) * rateSlope)
}

export function simulateProject(input: SimulatorInput): SimulatorResult {
  const power = toPositiveAmount(input.puissanceInstallee)
  const homes = toPositiveAmount(input.nbLogements)
  const productionAnnuelle = power * SIMULATOR_CONSTANTS.kwhPerKwc
  const tauxAutoconsommation = computeSelfConsumptionRate(power, toPositiveAmount(input.consommationAnnuelle))
  const energieAutoconsommee = (productionAnnuelle * tauxAutoconsommation) / 100
  const economiesAnnuelles = energieAutoconsommee * SIMULATOR_CONSTANTS.eurosPerKwh
  const investissementBrut = power * SIMULATOR_CONSTANTS.eurosPerKwc
  const aide = Math.min((investissementBrut * SIMULATOR_CONSTANTS.subsidyPercent) / 100, SIMULATOR_CONSTANTS.subsidyCap)
  const investissementNet = investissementBrut - aide
  return {
    productionAnnuelle,
    tauxAutoconsommation,
    energieAutoconsommee,
    economiesAnnuelles,
    economiesParLogement: homes > 0 ? economiesAnnuelles / homes : null,
    investissementBrut,
    aide,
    investissementNet,
    roi: economiesAnnuelles > 0 ? Math.round((investissementNet / economiesAnnuelles) * 10) / 10 : null,
    co2Evite: energieAutoconsommee * SIMULATOR_CONSTANTS.kgCo2PerKwh,
    projection: Array.from({ length: SIMULATOR_CONSTANTS.years }, (_, year) => ({
      annee: year + 1,
      economiesCumulees: economiesAnnuelles * (year + 1),
      bilan: economiesAnnuelles * (year + 1) - investissementNet,
    })),
  }
}
