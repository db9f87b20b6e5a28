import type { ShowcaseContent } from '../blocks/showcase.tsx'
import type { TestimonialsContent } from '../blocks/testimonials.tsx'
import { exchanges } from '../content/exchanges.ts'

export const partners: ShowcaseContent = {
  kind: 'showcase',
  id: 'partners',
  look: 'short',
  eyebrow: 'Intégrations partenaires',
  title: 'Voisol parle la langue de vos partenaires',
  items: exchanges,
  more: { label: 'Nos partenaires', href: '/partners' },
}

export const testimonials: TestimonialsContent = {
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
