import type { FaqContent } from '../blocks/faq.tsx'
import type { ShowcaseContent } from '../blocks/showcase.tsx'
import type { StepsContent } from '../blocks/steps.tsx'
import type { StoryContent } from '../blocks/story.tsx'
import type { TestimonialsContent } from '../blocks/testimonials.tsx'
import { exchanges } from '../content/exchanges.ts'

export const steps: StepsContent = {
  kind: 'steps',
  title: 'Du toit à la facture, en quatre étapes',
  items: [
    {
      title: 'Réunir',
      text: 'Producteurs et consommateurs adhèrent à une personne morale organisatrice. Voisol tient la liste des points et les accords de participation.',
    },
    {
      title: 'Mesurer',
      text: 'Les compteurs communicants transmettent leurs courbes au pas de 15 minutes. Chaque donnée reçue est vérifiée, datée et conservée.',
    },
    {
      title: 'Répartir',
      text: 'À chaque quart d’heure, la production est affectée selon la clé choisie, sans jamais dépasser ce que chacun a consommé.',
    },
    {
      title: 'Facturer',
      text: 'Les quantités définitives deviennent des factures. Le complément reste facturé par le fournisseur de chacun, qui ne change pas.',
    },
  ],
}

export const proof: StoryContent = {
  kind: 'story',
  eyebrow: 'Un écran, pas une promesse',
  title: 'Qui a reçu quoi, jusqu’au dernier watt-heure',
  paragraphs: [
    'À gauche, ce qui a produit ; à droite, ceux qui ont consommé. L’épaisseur de chaque trait est une énergie mesurée, et leur somme tombe juste à chaque quart d’heure.',
  ],
  points: [
    { term: 'En ambre', text: 'L’énergie du toit, partagée entre voisins.' },
    { term: 'En ardoise', text: 'Le complément, fourni par le réseau.' },
    { term: 'En turquoise', text: 'Le surplus, vendu hors de l’opération.' },
  ],
  more: { label: 'Toutes les fonctionnalités', href: '/features' },
  picture: {
    picture: 'repartition',
    alt: 'Répartition d’un mois dans une résidence : le toit et le réseau alimentent chaque appartement par des flux proportionnels à l’énergie.',
    caption: 'Résidence Les Tilleuls, opération de démonstration, juin 2026.',
  },
}

export const partners: ShowcaseContent = {
  kind: 'showcase',
  id: 'partners',
  ground: 'soft',
  eyebrow: 'Intégrations partenaires',
  title: 'Voisol parle la langue de vos partenaires',
  lead: 'Une opération d’autoconsommation collective a plus d’interlocuteurs que de panneaux. La plateforme échange avec chacun dans son format.',
  items: exchanges,
  more: { label: 'Nos partenaires', href: '/partners' },
}

export const testimonials: TestimonialsContent = {
  kind: 'testimonials',
  id: 'testimonials',
  eyebrow: 'Témoignages',
  title: 'Ce qu’en diraient trois gestionnaires',
  lead: 'Ces témoignages sont des exemples : ils décrivent des situations types, non des clients nommés.',
  items: [
    {
      quote:
        '« Avant, je recevais des fichiers par courriel et je recalculais tout au tableur. Maintenant j’ouvre l’assemblée générale avec la répartition du mois à l’écran. »',
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
        '« Le week-end, notre toiture travaillait pour rien. Les ateliers voisins l’utilisent et la facture se fait sans nous. »',
      who: 'Responsable énergie',
      where: 'Site industriel et zone d’activité',
    },
  ],
}

export const faq: FaqContent = {
  kind: 'faq',
  title: 'Questions fréquentes',
  items: [
    {
      question: 'Faut-il changer de fournisseur d’électricité ?',
      answer:
        'Non. Chaque participant garde son contrat. Le gestionnaire de réseau indique au fournisseur la part d’énergie locale ; le fournisseur ne facture que le complément.',
    },
    {
      question: 'Qui peut participer à une même opération ?',
      answer:
        'Les points de soutirage et d’injection de tous les participants doivent tenir dans 2 km, comptés entre les deux plus éloignés. Une dérogation porte cette distance à 10 km en zone périurbaine et à 20 km en zone rurale. La puissance cumulée reste sous 5 MW en métropole.',
    },
    {
      question: 'Les données sont-elles en temps réel ?',
      answer:
        'Le pas de calcul est le quart d’heure. Le distributeur publie les courbes de la veille chaque matin et les quantités définitives chaque mois : Voisol affiche toujours jusqu’à quand les données sont connues.',
    },
    {
      question: 'Que se passe-t-il après les 30 jours d’essai ?',
      answer: 'L’essai ne vous engage pas : vous choisissez une formule, ou vous en restez là.',
    },
  ],
}
