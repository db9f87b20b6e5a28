import type { HourlyEstimate, SimulationInput } from '@voisol/contract/simulator'
import { SIMULATOR, type SimulatorResult } from '@voisol/energy/simulator'
import { euros, kwh, number, percent, years } from '../../../pdf/figures.ts'
import { type Case, mixWords, PLACES, ROOF } from './mixes.ts'

type Compared = {
  input: SimulationInput
  which: Case
  quick: SimulatorResult
  estimate: Omit<HourlyEstimate, 'differences'>
  /** Percent of the consumption that falls in hours with sun. */
  litShare: number
}

const close = (a: number, b: number, part = 0.02) => Math.abs(a - b) <= Math.abs(b) * part

function yieldWords({ which, estimate }: Compared): string {
  const { kwhPerKwc } = estimate
  const gap = (kwhPerKwc / SIMULATOR.kwhPerKwc - 1) * 100
  const said = close(kwhPerKwc, SIMULATOR.kwhPerKwc)
    ? 'la production est presque la même'
    : `la production est ${gap > 0 ? 'plus élevée' : 'plus faible'} de ${percent(Math.abs(gap), 0)}`
  return `À ${PLACES[which.place].city}, un toit orienté au sud et incliné de ${ROOF.tilt}\u00a0degrés donne ${kwh(kwhPerKwc)} par kWc et par an, contre ${number(SIMULATOR.kwhPerKwc)} dans la formule rapide\u00a0: ${said}.`
}

function nightWords({ litShare }: Compared): string {
  return `${percent(litShare, 0)} de la consommation ont lieu aux heures où le toit produit\u00a0; le reste, le soir et la nuit, ne peut pas venir directement du soleil.`
}

function ratioReason(ratio: number): string {
  if (ratio < 30) return 'le toit est petit devant les besoins\u00a0: presque tout ce qu’il produit trouve preneur'
  if (ratio <= 70) return 'aux heures les plus claires, le toit donne plus que les besoins du moment'
  if (ratio <= 100) return 'en été, le toit donne souvent plus que les besoins du moment'
  return 'le toit donne plus que les besoins de l’année\u00a0: une grande part ne peut être que vendue'
}

function rateWords({ input, quick, estimate }: Compared): string {
  const ratio = (estimate.productionAnnuelle / input.consommationAnnuelle) * 100
  const said = `La production représente ${percent(ratio, 0)} de la consommation de l’année\u00a0: ${ratioReason(ratio)}.`
  const rates = `Le bilan horaire trouve ${percent(estimate.tauxAutoconsommation)} d’autoconsommation`
  const formula = `la formule rapide, qui ne regarde pas les heures, ${percent(quick.tauxAutoconsommation)}`
  return `${said} ${rates}, ${formula}.`
}

function seasonWords({ estimate }: Compared): string {
  const [summer = 0, winter = 0] = [5, 11].map((month) => estimate.months[month]?.production ?? 0)
  const left = estimate.surplus
  const season = `Le toit donne ${kwh(summer)} en juin et ${kwh(winter)} en décembre`
  return left < estimate.productionAnnuelle / 1000
    ? `${season}, et il ne reste presque pas de surplus dans l’année.`
    : `${season}\u00a0; ${kwh(left)} de surplus restent dans l’année, dont la vente n’est pas comptée ici.`
}

function moneyWords({ quick, estimate }: Compared): string {
  const said = `Les économies sont de ${euros(estimate.economiesAnnuelles)} par an au lieu de ${euros(quick.economiesAnnuelles)}`
  if (estimate.roi === null || quick.roi === null) return `${said}.`
  return estimate.roi === quick.roi
    ? `${said}, pour un même retour en ${years(estimate.roi)}.`
    : `${said}, et l’investissement est remboursé en ${years(estimate.roi)} au lieu de ${years(quick.roi)}.`
}

const profileWords = ({ which }: Compared) => `Profil de consommation retenu\u00a0: ${mixWords(which)}.`

/** Why the hourly balance and the quick formula do not say the same. */
export function differencesOf(compared: Compared): string[] {
  const { puissanceInstallee, consommationAnnuelle } = compared.input
  if (puissanceInstallee === 0)
    return [
      'Sans puissance installée, le toit ne produit rien\u00a0: les deux calculs donnent zéro.',
      profileWords(compared),
    ]
  if (consommationAnnuelle === 0)
    return [
      yieldWords(compared),
      `Sans consommation annuelle, personne n’utilise l’énergie\u00a0: le bilan horaire compte tout en surplus et aucune économie, tandis que la formule rapide retient son taux le plus haut, ${percent(SIMULATOR.highestRate, 0)}.`,
    ]
  return [yieldWords, nightWords, rateWords, seasonWords, moneyWords, profileWords].map((words) => words(compared))
}
