import { SituationsScene } from '../illustrations/scenes.tsx'
import { createContentListPage } from './content-list.tsx'

export default createContentListPage({
  eyebrow: 'Études de cas',
  title: 'Trois opérations, trois façons de partager',
  lead: 'Une copropriété, un éco-quartier et une zone d’activité\u00a0: leur structure, leurs choix, leur méthode. Des exemples, construits sur nos opérations de démonstration.',
  illustration: SituationsScene,
  empty: 'Aucune étude de cas n’est publiée pour le moment.',
})
