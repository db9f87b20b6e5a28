import type { Onboarding, OnboardingStep } from '@voisol/contract/onboarding'

export type StepText = { title: string; text: string; action: string; to: string | null }
type StepLinkContext = { companyId: number; operationId: string | null }
type StepDefinition = { title: string; text: string; action: string; to: (place: StepLinkContext) => string | null }

/** Where a step needs an operation, there is nowhere to go before it exists. */
const linkToOperation =
  (path: (operationId: string, companyId: number) => string) =>
  ({ operationId, companyId }: StepLinkContext) =>
    operationId === null ? null : path(operationId, companyId)

const STEP_DEFINITIONS: Record<OnboardingStep['step'], StepDefinition> = {
  operation: {
    title: 'Créez une opération',
    text: 'Son nom, son périmètre, ses producteurs, sa clé de répartition. Vous pourrez tout changer ensuite.',
    action: 'Créer une opération',
    to: () => '/acc-operations/new',
  },
  participants: {
    title: 'Inscrivez les participants',
    text: 'Un fichier CSV ou Excel avec les noms et les PRM. Chaque ligne est vérifiée avant d’être enregistrée.',
    action: 'Importer les participants',
    to: linkToOperation((id) => `/acc-operations/${id}/participants`),
  },
  points: {
    title: 'Reliez leurs compteurs',
    text: 'Au moins un point qui produit et un point qui consomme.',
    action: 'Voir les compteurs',
    to: linkToOperation((id) => `/acc-operations/${id}/participants`),
  },
  consents: {
    title: 'Recueillez les accords',
    text: 'Invitez chaque participant à son espace\u00a0: il y accepte la collecte de ses mesures et y voit sa part.',
    action: 'Inviter un participant',
    to: linkToOperation(() => '/participants'),
  },
  key: {
    title: 'Adoptez une clé de répartition',
    text: 'La règle qui partage la production entre les voisins, à partir d’un jour choisi.',
    action: 'Choisir une clé',
    to: linkToOperation((id) => `/acc-operations/${id}/energy-distribution`),
  },
  curves: {
    title: 'Importez les courbes de charge',
    text: 'Les fichiers d’Enedis tels qu’ils arrivent, ou la synchronisation avec Enedis.',
    action: 'Importer des courbes',
    to: linkToOperation((id, company) => `/companies/${company}/operations/${id}/load-curves?onglet=imports`),
  },
  run: {
    title: 'Répartissez l’énergie',
    text: 'Quart d’heure par quart d’heure, avec la preuve que rien ne se perd.',
    action: 'Lancer un calcul',
    to: linkToOperation((id) => `/acc-operations/${id}/energy-distribution`),
  },
  invoice: {
    title: 'Émettez la première facture',
    text: 'Un vendeur, un prix, un mois terminé\u00a0: la clôture dit ce qui manque encore.',
    action: 'Ouvrir la facturation',
    to: linkToOperation(() => '/billing'),
  },
}

export function getStepText({ step }: OnboardingStep, place: StepLinkContext): StepText {
  const { to, ...texts } = STEP_DEFINITIONS[step]
  return { ...texts, to: to(place) }
}

/** « 2 sur 3 », where all are wanted and some are there. */
export const formatStepCount = ({ done, count, of }: OnboardingStep) =>
  !done && of !== null && count > 0 ? `${count}\u00a0sur\u00a0${of}` : ''

export const isOnboardingComplete = ({ steps }: Pick<Onboarding, 'steps'>) => steps.every(({ done }) => done)
export const countDoneSteps = ({ steps }: Pick<Onboarding, 'steps'>) => steps.filter(({ done }) => done).length

export function describeOnboardingProgress(data: Pick<Onboarding, 'steps'>): string {
  const [done, all] = [countDoneSteps(data), data.steps.length]
  if (done === all) return `Les ${all} étapes sont faites.`
  if (done === 0) return `${all} étapes mènent d’un écran vide à la première facture.`
  return `${done} étape${done > 1 ? 's' : ''} sur ${all} ${done > 1 ? 'sont faites' : 'est faite'}.`
}
