import BatteryCharging from 'lucide-react/icons/battery-charging'
import BrainCircuit from 'lucide-react/icons/brain-circuit'
import ChartSpline from 'lucide-react/icons/chart-spline'
import FileText from 'lucide-react/icons/file-text'
import Ruler from 'lucide-react/icons/ruler'
import Scale from 'lucide-react/icons/scale'
import Waypoints from 'lucide-react/icons/waypoints'
import { Neighbourhood } from '../illustrations/neighbourhood.tsx'
import { Condominium, District, Factory } from '../illustrations/scenes.tsx'
import { DayColumns, GridMeter, SharedRoof } from '../illustrations/small-scenes.tsx'
import { TRIAL } from '../links.ts'
import { type Block, contentPage } from '../page.tsx'
import { claims } from './claims.ts'
import { faq, partners, proof, steps, testimonials } from './home-content.ts'

const opening: Block[] = [
  {
    kind: 'hero',
    eyebrow: 'Autoconsommation collective solaire',
    title: 'Intelligence Énergétique Avancée',
    lead: 'Un toit produit, ses voisins consomment. Voisol mesure, répartit et facture cette énergie locale, quart d’heure par quart d’heure.',
    actions: [
      { label: 'Essayer gratuitement 30 jours', href: TRIAL },
      { label: 'Demander une démo', opens: 'booking' },
      { label: 'Simuler mon projet', opens: 'simulator' },
    ],
    note: 'Pour les syndics, copropriétés, ZAC et éco-quartiers, sites industriels, collectivités et gestionnaires d’énergie.',
    illustration: Neighbourhood,
  },
  {
    kind: 'features',
    title: 'Ce qui change quand l’énergie se partage',
    lead: 'Chaque kilowattheure produit à côté est compté, attribué et expliqué : à celui qui le vend, à celui qui le consomme, et au gestionnaire du réseau.',
    items: [
      {
        title: 'Autoconsommation collective',
        text: 'Jusqu’à 95 % d’autoconsommation : la production d’un ou plusieurs toits est répartie entre les participants selon la règle que vous choisissez.',
        illustration: SharedRoof,
        more: {
          label: 'Comment l’énergie se partage',
          href: '/solutions/autoconsommation-collective',
        },
      },
      {
        title: 'Analyses prédictives',
        text: 'La production solaire est prévue par IA avec 95 % de précision ; piloter les usages d’après cette prévision ajoute 5 à 15 % d’autoconsommation.',
        illustration: DayColumns,
        more: {
          label: 'Comment se fait la prévision',
          href: '/solutions/analytics-predictions',
        },
      },
      {
        title: 'Intégration au gestionnaire de réseau',
        text: 'Les données sont synchronisées toutes les 15 minutes : c’est le pas des courbes que le distributeur publie, et celui de tous nos calculs.',
        illustration: GridMeter,
        more: {
          label: 'Ce que dit la réglementation',
          href: '/expertise/reglementaire',
        },
      },
    ],
  },
]

const modules: Block = {
  kind: 'features',
  id: 'platform',
  ground: 'soft',
  eyebrow: 'La plateforme',
  title: 'Quatre modules, une seule donnée',
  lead: 'La courbe de charge reçue le matin sert à tout : elle se répartit, s’analyse, se prévoit et se facture sans jamais être ressaisie.',
  items: [
    {
      icon: BatteryCharging,
      title: 'Optimisation énergétique',
      text: 'Comparez les méthodes de répartition sur vos propres courbes avant de les appliquer, et voyez ce que chacun y gagne.',
      points: ['5 méthodes de répartition', 'Surplus visible à chaque quart d’heure'],
      more: { label: 'Voir l’optimisation', href: '/solutions/optimisation-energetique' },
    },
    {
      icon: Waypoints,
      title: 'Gestion intelligente',
      text: 'Participants, points de livraison, entrées et sorties, clés datées : l’opération se tient à jour sans tableur.',
      points: ['Mouvements à la date d’effet', 'Alertes avant l’échéance d’un consentement'],
      more: {
        label: 'Voir la gestion',
        href: '/solutions/gestion-intelligente',
      },
    },
    {
      icon: ChartSpline,
      title: 'Analyses et prédictions',
      text: 'Taux d’autoconsommation et d’autoproduction, complétude des données, prévision de la production et de ses marges.',
      points: ['Les trous restent visibles, jamais remplacés par zéro', 'Chaque graphique a son tableau'],
      more: { label: 'Voir les analyses', href: '/solutions/analytics-predictions' },
    },
    {
      icon: FileText,
      title: 'Facturation',
      text: 'Les kilowattheures affectés deviennent des factures : prix, taxes et mentions suivent le contrat de chaque participant.',
      points: ['Numérotation continue, avoirs, rectifications', 'Une facture émise ne change jamais'],
      more: { label: 'De la courbe à la facture', href: '/platform' },
    },
  ],
}

const solutions: Block = {
  kind: 'features',
  id: 'solutions',
  eyebrow: 'Les solutions',
  title: 'À chaque opération sa façon de partager',
  items: [
    {
      illustration: Condominium,
      title: 'Copropriétés et bailleurs',
      text: 'Le toit de l’immeuble alimente les logements et les parties communes ; le syndic garde la main sans y passer ses soirées.',
      more: { label: 'Résidentiel', href: '/solutions/residential' },
    },
    {
      illustration: District,
      title: 'Collectivités et éco-quartiers',
      text: 'L’école, le gymnase et les habitants partagent une même énergie, dans un périmètre de 2 à 20 km selon la commune.',
      more: { label: 'Collectif', href: '/solutions/collective' },
    },
    {
      illustration: Factory,
      title: 'Sites industriels',
      text: 'Les grandes toitures produisent plus qu’un site ne consomme le week-end : les entreprises voisines prennent le relais.',
      more: { label: 'Industriel', href: '/solutions/industrial' },
    },
  ],
}

const expertise: Block = {
  kind: 'features',
  id: 'expertise',
  look: 'plain',
  eyebrow: 'L’expertise',
  title: 'Quatre métiers derrière chaque opération',
  more: { label: 'Toute l’expertise', href: '/expertise' },
  items: [
    {
      icon: Ruler,
      title: 'Conception solaire',
      text: 'Dimensionner la production d’après les consommations qui l’entourent, pas d’après la seule surface du toit.',
      more: { label: 'Conception', href: '/expertise/conception' },
    },
    {
      icon: Scale,
      title: 'Réglementaire',
      text: 'Personne morale organisatrice, convention, distances, puissance, TURPE, accise : les règles, et leur date.',
      more: { label: 'Réglementaire', href: '/expertise/reglementaire' },
    },
    {
      icon: BrainCircuit,
      title: 'Intelligence artificielle',
      text: 'Prévoir la production du lendemain et proposer quand consommer, en disant toujours avec quelle marge.',
      more: {
        label: 'Intelligence artificielle',
        href: '/expertise/intelligence-artificielle',
      },
    },
    {
      icon: ChartSpline,
      title: 'Science des données',
      text: 'Recevoir, vérifier et versionner des millions de quarts d’heure, changements d’heure compris.',
      more: { label: 'Science des données', href: '/expertise/data-science' },
    },
  ],
}

export default contentPage([
  ...opening,
  modules,
  proof,
  steps,
  solutions,
  claims,
  expertise,
  partners,
  testimonials,
  faq,
  {
    kind: 'call',
    title: 'Voyez votre opération dans Voisol',
    text: 'Créez votre espace, ajoutez vos points de livraison et comparez les répartitions sur vos propres courbes.',
    claims: ['30 jours d’essai gratuit', 'Installation en 48 h', 'Support 24/7'],
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL },
      { label: 'Demander une démo', opens: 'booking' },
    ],
  },
])
