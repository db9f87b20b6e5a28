import type { Consent } from '@voisol/contract/consents'

type ConsentText = { purpose: Consent['purpose']; version: string; title: string; text: string }

/** Every version ever shown, the current one last. An accepted text is never changed: it gets a successor. */
export const CONSENT_TEXTS: ConsentText[] = [
  {
    purpose: 'collection',
    version: '2026-01',
    title: 'Collecte de mes mesures',
    text: 'J’accepte que le gestionnaire de réseau relève ma courbe de charge au pas de quinze minutes et la transmette à l’organisateur de l’opération, pour répartir l’énergie entre les participants et établir mes factures. Cette courbe peut révéler mes habitudes de vie\u00a0: elle n’est montrée à aucun autre participant. Sans cet accord, je ne peux pas recevoir d’énergie partagée. Je peux le retirer à tout moment.',
  },
  {
    purpose: 'analysis',
    version: '2026-01',
    title: 'Analyse de ma consommation',
    text: 'J’accepte que mes mesures servent à m’afficher des analyses détaillées de ma consommation et de ma production (heures, saisons, tendances). Ce choix est facultatif et ne change rien à ma participation. Je peux le retirer à tout moment.',
  },
  {
    purpose: 'comparison',
    version: '2026-01',
    title: 'Comparaison avec mes voisins',
    text: 'J’accepte que mes mesures entrent dans des moyennes anonymes d’au moins cinq participants, pour que chacun puisse se situer. Mon nom et mes valeurs ne sont jamais montrés. Ce choix est facultatif et ne change rien à ma participation. Je peux le retirer à tout moment.',
  },
  {
    purpose: 'advice',
    version: '2026-01',
    title: 'Conseils personnalisés',
    text: 'J’accepte de recevoir des conseils tirés de mes mesures, par exemple les meilleures heures pour consommer l’énergie locale. Ce choix est facultatif et ne change rien à ma participation. Je peux le retirer à tout moment.',
  },
]

const CONSENT_PURPOSES = [...new Set(CONSENT_TEXTS.map(({ purpose }) => purpose))]
export const getCurrentConsentText = (purpose: Consent['purpose']) =>
  CONSENT_TEXTS.findLast((text) => text.purpose === purpose)
export const listCurrentConsentTexts = () => CONSENT_PURPOSES.flatMap((purpose) => getCurrentConsentText(purpose) ?? [])
/** Including texts no longer shown: somebody accepted them. */
export const listAllConsentTexts = (): readonly ConsentText[] => CONSENT_TEXTS
