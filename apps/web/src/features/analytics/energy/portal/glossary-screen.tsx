import { cardClass } from '../../../../components/card.tsx'
import { cx } from '../../../../components/cx.ts'
import { PortalPage } from './portal-page.tsx'

type GlossaryTerm = { term: string; meaning: string }

/** The words that nobody learns at school, each in one or two sentences. A test finds them in what the portal says. */
export const GLOSSARY: GlossaryTerm[] = [
  {
    term: 'Énergie locale',
    meaning: 'L’électricité des panneaux de votre quartier, consommée au moment où elle est produite.',
  },
  { term: 'Réseau', meaning: 'L’électricité que vous vend votre fournisseur habituel.' },
  { term: 'Opération', meaning: 'Le groupe de voisins qui partagent la même électricité solaire.' },
  { term: 'Organisateur', meaning: 'Celui qui fait vivre l’opération et répond à vos questions.' },
  { term: 'Participation', meaning: 'Les jours où votre compteur fait partie de l’opération.' },
  {
    term: 'Répartition',
    meaning: 'Le calcul qui dit, toutes les quinze minutes, quelle part de l’énergie locale revient à chacun.',
  },
  { term: 'Clé de répartition', meaning: 'La règle de ce calcul. Vos voisins et vous l’avez choisie ensemble.' },
  { term: 'Surplus', meaning: 'Ce que les panneaux ont produit et que personne n’a consommé à ce moment-là.' },
  { term: 'Sans preneur', meaning: 'L’énergie rendue par une batterie que personne n’a consommée.' },
  { term: 'kWh', meaning: 'La mesure de l’électricité. Un lave-linge en consomme à peu près un par lessive.' },
  { term: 'PRM', meaning: 'Le numéro de votre compteur, à quatorze chiffres. Il est écrit sur vos factures.' },
  { term: 'CO₂', meaning: 'Le gaz qui réchauffe le climat. Produire de l’électricité en émet plus ou moins.' },
  { term: 'Facteur', meaning: 'Les grammes de CO₂ émis pour produire un kWh.' },
  { term: 'Hors taxes', meaning: 'Avant que la TVA soit ajoutée.' },
  { term: 'IBAN', meaning: 'Le numéro de votre compte en banque. Il est écrit sur votre RIB.' },
  { term: 'Mandat', meaning: 'Votre accord écrit pour qu’une facture soit prélevée sur votre compte.' },
  { term: 'RUM', meaning: 'Le numéro de ce mandat. Votre banque vous le demande si vous voulez l’arrêter.' },
  { term: 'Jeton', meaning: 'Un mot de passe pour un programme à vous, qui lit vos chiffres.' },
  { term: 'Clé d’accès', meaning: 'Une façon d’entrer sans mot de passe, avec votre doigt ou votre visage.' },
  { term: 'Double authentification', meaning: 'Un code de votre téléphone demandé en plus du mot de passe.' },
  { term: 'Provisoire', meaning: 'Calculé avec les mesures reçues jusqu’ici. Le chiffre peut encore changer.' },
  { term: 'Définitif', meaning: 'Calculé avec toutes les mesures. Le chiffre ne change plus.' },
]

const sortedTerms = GLOSSARY.toSorted((a, b) => a.term.localeCompare(b.term, 'fr'))

/** What the words of the portal mean, for somebody who meets them for the first time. */
export default function PortalGlossary() {
  return (
    <PortalPage title="Les mots expliqués" description="Ce que veulent dire les mots de votre espace.">
      <dl className={cx(cardClass, 'divide-y divide-line px-5 sm:px-6')}>
        {sortedTerms.map(({ term, meaning }) => (
          <div key={term} className="grid gap-x-6 gap-y-1 py-4 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="font-semibold">{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </PortalPage>
  )
}
