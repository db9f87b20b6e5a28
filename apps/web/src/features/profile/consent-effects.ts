import type { Consent } from '@voisol/contract/consents'

/** What an agreement brings and what ends without it, said before somebody decides. */
export const CONSENT_EFFECTS: Record<Consent['purpose'], { given: string; withdrawn: string }> = {
  collection: {
    given: 'Votre part d’énergie locale est calculée toutes les quinze minutes, et vos factures en découlent.',
    withdrawn:
      'Votre organisateur doit faire cesser les relevés. Sans eux, vous ne recevez plus d’énergie locale. Les factures déjà émises restent dues.',
  },
  analysis: {
    given: 'Vos mesures peuvent servir à des analyses de vos heures et de vos saisons, pour vous seul.',
    withdrawn: 'Vos mesures ne servent plus à ces analyses. Vos chiffres et vos factures restent les mêmes.',
  },
  comparison: {
    given: 'Vos mesures entrent dans des moyennes d’au moins cinq voisins. Personne ne peut vous y reconnaître.',
    withdrawn:
      'Vos mesures sortent de ces moyennes dès maintenant. Vous continuez à voir celle de vos voisins quand elle existe.',
  },
  advice: {
    given: 'Vous pouvez recevoir des conseils tirés de vos mesures.',
    withdrawn:
      'Vous ne recevez plus de conseils tirés de vos mesures. L’annonce des heures de demain vaut pour toute l’opération\u00a0: elle se règle dans vos notifications.',
  },
}
