import BatteryCharging from 'lucide-react/icons/battery-charging'
import BrainCircuit from 'lucide-react/icons/brain-circuit'
import ChartSpline from 'lucide-react/icons/chart-spline'
import FileText from 'lucide-react/icons/file-text'
import Ruler from 'lucide-react/icons/ruler'
import Scale from 'lucide-react/icons/scale'
import Waypoints from 'lucide-react/icons/waypoints'
import type { ShowcaseContent } from '../blocks/showcase.tsx'
import type { FiguresContent, TestimonialsContent } from '../blocks/social-proof.tsx'
import { exchanges } from '../content/exchanges.ts'
import { DayFlow } from '../day/day-flow.tsx'
import { Neighbourhood } from '../illustrations/neighbourhood.tsx'
import { CondominiumScene, DistrictScene, FactoryScene } from '../illustrations/scenes.tsx'
import { DayColumns, GridMeter, SharedRoof } from '../illustrations/small-scenes.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage, createCustomBlock, type PageBlock } from '../page.tsx'

const partners: ShowcaseContent = {
  kind: 'showcase',
  id: 'partners',
  look: 'short',
  eyebrow: 'Intégrations partenaires',
  title: 'Voisol parle la langue de vos partenaires',
  items: exchanges,
  more: { label: 'Nos partenaires', href: '/partners' },
}

const testimonials: TestimonialsContent = {
  kind: 'testimonials',
  id: 'testimonials',
  ground: 'soft',
  eyebrow: 'Témoignages',
  title: 'Ce qu’en diraient trois gestionnaires',
  items: [
    {
      quote:
        '« Je recalculais tout au tableur. Maintenant j’ouvre l’assemblée générale avec la répartition du mois à l’écran. »',
      who: 'Gestionnaire de copropriété',
      where: 'Résidence équipée en toiture',
    },
    {
      quote:
        '« L’école produit l’été, quand elle est vide. Les logements d’en face en profitent, et les élus comprennent enfin où va chaque kilowattheure. »',
      who: 'Chargée de mission énergie',
      where: 'Commune et éco-quartier',
    },
    {
      quote:
        '« Le week-end, notre toiture travaillait pour rien. Les ateliers voisins l’utilisent, et chacun voit sa part. »',
      who: 'Responsable énergie',
      where: 'Site industriel et zone d’activité',
    },
  ],
}

/** What Voisol announces; the wording is the commercial one and is the same wherever it appears. */
const homeClaims: FiguresContent = {
  kind: 'figures',
  ground: 'soft',
  eyebrow: 'En chiffres',
  title: 'Ce que Voisol annonce',
  items: [
    { prefix: 'Jusqu’à', figure: '95', unit: '%', label: 'd’autoconsommation [objectif]' },
    { prefix: 'En moyenne', figure: '60', unit: '%', label: 'de réduction carbone [objectif]' },
    { prefix: 'Au choix', figure: '5', label: 'méthodes de répartition' },
    { prefix: 'Plus de', figure: '500', label: 'installations connectées [objectif]' },
    { prefix: 'Nos utilisateurs', figure: '98', unit: '%', label: 'de satisfaction [objectif]' },
    { prefix: 'Chaque année', figure: '15', unit: 'GWh', label: 'optimisés [objectif]' },
    { prefix: 'Support', figure: '24/7', label: 'toute l’année [objectif]' },
    { prefix: 'Moins de', figure: '5', unit: 'min', label: 'pour une réponse du support [objectif]' },
  ],
  note: 'Le résultat d’une opération dépend de ses toits, de ses consommations et de sa clé. La certification ISO 27001 est en cours [objectif].',
}

const openingBlocks: PageBlock[] = [
  {
    kind: 'hero',
    eyebrow: 'Autoconsommation collective solaire',
    title: 'Intelligence Énergétique Avancée',
    lead: 'Un toit produit, ses voisins consomment. Voisol mesure, répartit et explique cette énergie locale, quart d’heure par quart d’heure.',
    actions: [
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
      { label: 'Demander une démo', opens: 'booking' },
    ],
    illustration: Neighbourhood,
  },
  createCustomBlock(DayFlow, {
    id: 'journee',
    eyebrow: 'Un écran, pas une promesse',
    title: 'Une journée, quart d’heure par quart d’heure',
    lead: 'Un toit de 36 kWc, 24 logements : déplacez l’heure et voyez qui reçoit quoi.',
    note: 'Résidence Les Tilleuls, opération de démonstration, le 11 juin 2026.',
  }),
  {
    kind: 'features',
    ground: 'soft',
    title: 'Ce qui change quand l’énergie se partage',
    items: [
      {
        title: 'Autoconsommation collective',
        text: 'Jusqu’à 95 % d’autoconsommation [objectif] : la production est répartie selon la règle que vous choisissez.',
        illustration: SharedRoof,
        more: { label: 'Comment l’énergie se partage', href: '/solutions/autoconsommation-collective' },
      },
      {
        title: 'Analyses prédictives',
        text: 'La production prévue par IA avec 95 % de précision [objectif], et 5 à 15 % d’autoconsommation en plus [objectif].',
        illustration: DayColumns,
        more: { label: 'Comment se fait la prévision', href: '/solutions/analytics-predictions' },
      },
      {
        title: 'Intégration au gestionnaire de réseau',
        text: 'Les données sont synchronisées toutes les 15 minutes [objectif] : c’est le pas des courbes publiées, et celui de nos calculs.',
        illustration: GridMeter,
        more: { label: 'Ce que dit la réglementation', href: '/expertise/reglementaire' },
      },
    ],
  },
]

const modulesBlock: PageBlock = {
  kind: 'features',
  id: 'platform',
  eyebrow: 'La plateforme',
  title: 'Quatre modules, une seule donnée',
  items: [
    {
      icon: BatteryCharging,
      title: 'Optimisation énergétique',
      text: 'Comparez les cinq méthodes sur vos propres courbes, et ce que chacun y gagne.',
      more: { label: 'Voir l’optimisation', href: '/solutions/optimisation-energetique' },
    },
    {
      icon: Waypoints,
      title: 'Gestion intelligente',
      text: 'Entrées, sorties et clés datées : l’opération se tient à jour sans tableur.',
      more: { label: 'Voir la gestion', href: '/solutions/gestion-intelligente' },
    },
    {
      icon: ChartSpline,
      title: 'Analyses et prédictions',
      text: 'Taux, complétude, performance des toits ; prévision de la production.',
      more: { label: 'Voir les analyses', href: '/solutions/analytics-predictions' },
    },
    {
      icon: FileText,
      title: 'Facturation',
      text: 'Les kilowattheures affectés deviennent des factures, que chacun peut recalculer.',
      more: { label: 'De la courbe à la facture', href: '/platform' },
    },
  ],
}

const solutionsBlock: PageBlock = {
  kind: 'features',
  id: 'solutions',
  ground: 'soft',
  eyebrow: 'Les solutions',
  title: 'À chaque opération sa façon de partager',
  items: [
    {
      illustration: CondominiumScene,
      title: 'Copropriétés et bailleurs',
      text: 'Le toit de l’immeuble alimente logements et parties communes.',
      more: { label: 'Résidentiel', href: '/solutions/residential' },
    },
    {
      illustration: DistrictScene,
      title: 'Collectivités et éco-quartiers',
      text: 'L’école, le gymnase et les habitants partagent une même énergie.',
      more: { label: 'Collectif', href: '/solutions/collective' },
    },
    {
      illustration: FactoryScene,
      title: 'Sites industriels',
      text: 'Le week-end, les entreprises voisines consomment ce que la toiture produit.',
      more: { label: 'Industriel', href: '/solutions/industrial' },
    },
  ],
}

const expertiseBlock: PageBlock = {
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
      text: 'La bonne puissance, d’après les consommations voisines.',
      more: { label: 'Conception', href: '/expertise/conception' },
    },
    {
      icon: Scale,
      title: 'Réglementaire',
      text: 'Distances, convention, TURPE, accise : les règles et leur date.',
      more: { label: 'Réglementaire', href: '/expertise/reglementaire' },
    },
    {
      icon: BrainCircuit,
      title: 'Intelligence artificielle',
      text: 'Prévoir le lendemain, en disant avec quelle marge.',
      more: { label: 'La prévision', href: '/expertise/intelligence-artificielle' },
    },
    {
      icon: ChartSpline,
      title: 'Science des données',
      text: 'Des millions de quarts d’heure vérifiés, changements d’heure compris.',
      more: { label: 'Les données', href: '/expertise/data-science' },
    },
  ],
}

export default createContentPage('/', [
  ...openingBlocks,
  modulesBlock,
  solutionsBlock,
  expertiseBlock,
  homeClaims,
  partners,
  testimonials,
  {
    kind: 'call',
    title: 'Voyez votre opération dans Voisol',
    text: 'Une puissance et une consommation suffisent pour commencer.',
    claims: ['30 jours d’essai gratuit', 'Installation en 48 h [objectif]', 'Support 24/7 [objectif]'],
    actions: [
      { label: 'Simuler mon projet', opens: 'simulator' },
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
    ],
  },
])
