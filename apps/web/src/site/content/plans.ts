import { PLANS } from '@voisol/contract/plan-prices'
import type { PricingPlan } from '../blocks/plan-card.tsx'
import type { TableContent } from '../blocks/table.tsx'
import { TRIAL_PATH } from '../links.ts'

/** The contract's cents, in the euros that a card shows. */
const toCardPrices = (plan: 'starter' | 'professional') => ({
  monthlyPrice: PLANS[plan].month / 100,
  annualPrice: PLANS[plan].year / 100,
})

export const plans: PricingPlan[] = [
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

export const planComparison: TableContent = {
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
