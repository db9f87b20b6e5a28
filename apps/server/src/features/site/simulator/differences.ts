import type { HourlyEstimate, SimulationInput } from '@voisol/contract/simulator'
import { SIMULATOR_CONSTANTS, type SimulatorResult } from '@voisol/energy/simulator'
import { formatKwh, formatNumber, formatPercentValue, formatWholeEuros, formatYears } from '../../../pdf/figures.ts'
import { formatMix, SIMULATOR_PLACES, type SimulationCase, STANDARD_ROOF } from './mixes.ts'

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
export function explainDifferences(compared: ComparisonInput): string[] {
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
