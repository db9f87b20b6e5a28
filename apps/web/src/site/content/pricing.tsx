import { ADD_ONS, type AddOnName, PLANS } from '@voisol/contract/plan-prices'
import GraduationCap from 'lucide-react/icons/graduation-cap'
import Headset from 'lucide-react/icons/headset'
import Plug from 'lucide-react/icons/plug'
import SearchCheck from 'lucide-react/icons/search-check'
import { formatNumber } from '../../lib/format.ts'
import { Offers, Plans, type PricingPlan } from '../blocks/pricing-plans.tsx'
import type { TableContent } from '../blocks/table.tsx'
import { ThreeSizes } from '../illustrations/three-sizes.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage, createCustomBlock } from '../page.tsx'

/** The contract's cents, in the euros that a card shows. */
const toCardPrices = (plan: 'starter' | 'professional') => ({
  monthlyPrice: PLANS[plan].month / 100,
  annualPrice: PLANS[plan].year / 100,
})

const plans: PricingPlan[] = [
  {
    name: PLANS.starter.name,
    description: 'Pour une copropriété, un site ou une première opération.',
    ...toCardPrices('starter'),
    features: [
      `Jusqu’à ${PLANS.starter.points} points de mesure`,
      'Les 5 méthodes de répartition',
      'Import et contrôle des courbes de charge',
      'Un espace pour chaque participant',
      'Exports CSV et Excel',
      'Support 24/7 [objectif]',
    ],
    notIncluded: ['API et webhooks', 'Marque blanche', 'Connexion unique d’entreprise [à venir]'],
    popular: false,
    cta: { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
  },
  {
    name: PLANS.professional.name,
    description: 'Pour un syndic, une collectivité ou un gestionnaire de plusieurs opérations.',
    ...toCardPrices('professional'),
    features: [
      `Jusqu’à ${PLANS.professional.points} points de mesure`,
      'Tout ce que comprend Starter',
      'Prévision de la production par IA',
      'API documentée et webhooks signés',
      'Marque blanche : logo, couleurs, nom ; domaine [à venir]',
    ],
    notIncluded: ['Connexion unique d’entreprise [à venir]'],
    popular: true,
    cta: { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
  },
  {
    name: PLANS.enterprise.name,
    description: 'Pour un bailleur, un opérateur ou un territoire aux besoins particuliers.',
    monthlyPrice: null,
    annualPrice: null,
    features: [
      'Points de mesure illimités',
      'Tout ce que comprend Professional',
      'Connexion unique d’entreprise [à venir]',
      'Intégrations à vos outils',
      'Engagements de service au contrat',
    ],
    notIncluded: [],
    popular: false,
    cta: { label: 'Nous contacter', href: '/contact' },
  },
]

const planComparison: TableContent = {
  kind: 'table',
  id: 'comparer',
  title: 'Les formules, ligne par ligne',
  look: 'centred',
  columns: ['Ce qui est compris', 'Starter', 'Professional', 'Enterprise'],
  groups: [
    {
      title: 'Volume',
      rows: [
        {
          label: 'Points de mesure',
          note: 'Soutirage et injection',
          cells: [String(PLANS.starter.points), String(PLANS.professional.points), 'Illimités'],
        },
        { label: 'Plusieurs opérations', cells: [true, true, true] },
      ],
    },
    {
      title: 'Énergie',
      rows: [
        { label: 'Cinq méthodes de répartition', cells: [true, true, true] },
        { label: 'Comparaison des clés sur vos courbes', cells: [true, true, true] },
        {
          label: 'Contrôle des courbes reçues',
          note: 'Trous, corrections, valeurs impossibles',
          cells: [true, true, true],
        },
        { label: 'Études de projets et périmètre', cells: [true, true, true] },
        { label: 'Prévision de la production par IA', cells: [false, true, true] },
      ],
    },
    {
      title: 'Participants',
      rows: [
        { label: 'Espace personnel', cells: [true, true, true] },
        { label: 'Consentements et échéances', cells: [true, true, true] },
        { label: 'Marque blanche', cells: [false, true, true] },
      ],
    },
    {
      title: 'Ouverture',
      rows: [
        { label: 'Exports CSV et Excel', cells: [true, true, true] },
        { label: 'API et webhooks', cells: [false, true, true] },
        { label: 'Connexion unique d’entreprise [à venir]', cells: [false, false, true] },
        { label: 'Intégrations sur mesure', cells: ['En option', 'En option', 'Au contrat'] },
      ],
    },
    {
      title: 'Accompagnement',
      rows: [
        { label: 'Support 24/7 [objectif]', cells: [true, true, true] },
        { label: 'Support prioritaire', cells: ['En option', 'En option', 'Au contrat'] },
        { label: 'Formation avancée', cells: ['En option', 'En option', 'En option'] },
      ],
    },
  ],
}

const formatAddOnPrice = (addOn: AddOnName) => `${formatNumber(ADD_ONS[addOn].price / 100)}\u00a0€`

export default createContentPage('/pricing', [
  {
    kind: 'hero',
    eyebrow: 'Tarifs',
    title: 'Un prix qui suit vos compteurs',
    lead: 'Trois formules, selon le nombre de points de mesure. Ni l’énergie partagée ni le nombre d’opérations ne changent le prix.',
    actions: [
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
      { label: 'Demander une démo', opens: 'booking' },
    ],
    note: 'Aucun frais d’installation. Satisfait ou remboursé pendant 30 jours.',
    illustration: ThreeSizes,
  },
  createCustomBlock(Plans, {
    title: 'Les trois formules',
    plans,
    guarantees: [
      '30 jours d’essai gratuit',
      'Satisfait ou remboursé pendant 30 jours, toutes formules',
      'Aucun frais d’installation',
    ],
    account: [
      { label: 'Se connecter', href: '/login' },
      { label: 'Voir la facturation', href: '/billing' },
    ],
  }),
  {
    kind: 'figures',
    ground: 'soft',
    title: 'Combien de points avez-vous ?',
    lead: 'Un point de mesure est un compteur, dans un sens : le soutirage d’un logement en est un, l’injection d’un toit en est un autre.',
    items: [
      { prefix: 'Une zone d’activité', figure: '10', unit: 'points', label: 'huit sites et deux toitures : Starter' },
      { prefix: 'Une résidence', figure: '26', unit: 'points', label: '24 logements, les communs, un toit : Starter' },
      {
        prefix: 'Un éco-quartier',
        figure: '121',
        unit: 'points',
        label: '116 consommateurs et cinq toits : Professional',
      },
      { prefix: 'Un bailleur', figure: '312', unit: 'points', label: 'douze résidences de 26 points : Enterprise' },
    ],
    note: 'Les trois premiers exemples sont ceux de la démonstration. Pour la résidence, 149 € par mois font 5,73 € par point et par mois.',
  },
  planComparison,
  createCustomBlock(Offers, {
    id: 'options',
    ground: 'soft',
    title: 'Les options',
    lead: 'Elles s’ajoutent à n’importe quelle formule, quand vous en avez besoin.',
    items: [
      {
        icon: GraduationCap,
        title: 'Formation avancée',
        text: 'Pour l’équipe qui tiendra l’opération : clés, clôture du mois, lecture des écarts, réponses aux participants.',
        price: formatAddOnPrice('training'),
      },
      {
        icon: SearchCheck,
        title: 'Audit énergétique',
        text: 'Vos courbes relues par un spécialiste : profils, puissance utile, clé recommandée et voisins à inviter.',
        price: formatAddOnPrice('audit'),
      },
      {
        icon: Headset,
        title: 'Support prioritaire',
        text: 'Vos demandes passent en tête de file, à toute heure [objectif].',
        price: formatAddOnPrice('priority'),
        per: 'par mois',
      },
      {
        icon: Plug,
        title: 'Intégrations personnalisées',
        text: 'Comptabilité, supervision, outil de gestion locative : Voisol échange avec ce que vous utilisez déjà.',
        price: 'Sur devis',
      },
    ],
  }),
  {
    kind: 'faq',
    title: 'Questions sur le prix',
    items: [
      {
        question: 'Que se passe-t-il à la fin de l’essai ?',
        answer:
          'L’essai est complet et dure 30 jours, jusqu’à 200 points. Ensuite, vous choisissez une formule, ou tout reste lisible et exportable : rien n’est effacé.',
      },
      {
        question: 'Comment marche la garantie de remboursement ?',
        answer:
          'Elle vaut pour toutes les formules : dans les 30 jours qui suivent la souscription, un message suffit pour être remboursé.',
      },
      {
        question: 'Peut-on changer de formule ?',
        answer:
          'Oui. Quand le nombre de points dépasse la limite, nous vous le disons ; vous passez à la formule suivante sans rien ressaisir.',
      },
      {
        question: 'Le paiement annuel fait-il vraiment gagner 10 % ?',
        answer:
          'Oui : Starter passe de 1 788 € à 1 609 € par an, Professional de 4 188 € à 3 769 €. L’arrondi est à l’euro inférieur.',
      },
      {
        question: 'Qui paie l’abonnement dans une opération ?',
        answer:
          'Le plus souvent la personne morale organisatrice, le syndic ou la collectivité. Le coût peut être réparti entre les participants par une cotisation.',
      },
      {
        question: 'L’énergie est-elle comprise ?',
        answer:
          'Non. Voisol n’est ni producteur ni fournisseur : le prix de l’énergie locale se décide entre ceux qui la produisent et ceux qui la consomment.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Voyez ce que donnerait votre opération',
    text: 'Le simulateur estime la production, les économies et le temps de retour en trois minutes.',
    claims: ['30 jours d’essai gratuit', 'Installation en 24 h [objectif]', 'Support 24/7 [objectif]'],
    actions: [
      { label: 'Simuler mon projet', opens: 'simulator' },
      { label: 'Demander une démo', opens: 'booking' },
    ],
  },
])
