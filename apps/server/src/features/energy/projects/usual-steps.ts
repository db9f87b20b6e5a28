import { addDays, daysBetween } from '@voisol/energy/calendar'

/** The usual steps of a project, with their days after the first contact. */
const USUAL_STEPS: [title: string, days: number][] = [
  ['Réunir les factures et les accords de principe', 14],
  ['Relever les toitures et leurs ombrages', 30],
  ['Étude de faisabilité', 45],
  ['Constituer la personne morale organisatrice', 75],
  ['Signer les accords de participation et les consentements', 105],
  ['Demander le raccordement de la production', 120],
  ['Signer la convention avec le gestionnaire de réseau', 180],
  ['Travaux et attestation de conformité', 240],
  ['Mise en service', 270],
]
const USUAL_DURATION_DAYS = 270

/** Counted from today, or back from the target day; compressed when that day is near. */
export function buildUsualSteps(today: string, targetOn: string | null) {
  const left = targetOn ? Math.max(0, daysBetween(today, targetOn)) : USUAL_DURATION_DAYS
  const dayAt = (days: number) =>
    left < USUAL_DURATION_DAYS ? Math.round((days * left) / USUAL_DURATION_DAYS) : left - USUAL_DURATION_DAYS + days
  return USUAL_STEPS.map(([title, days]) => ({ title, dueOn: addDays(today, dayAt(days)), doneOn: null }))
}
