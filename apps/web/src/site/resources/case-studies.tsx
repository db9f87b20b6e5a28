import { Situations } from '../illustrations/scenes.tsx'
import { shelf } from './shelf.tsx'

export default shelf({
  eyebrow: 'Études de cas',
  title: 'Trois opérations, trois façons de partager',
  lead: 'Une copropriété, un éco-quartier et une zone d’activité\u00a0: leur structure, leurs choix, leur méthode. Des exemples, construits sur nos opérations de démonstration.',
  illustration: Situations,
  empty: 'Aucune étude de cas n’est publiée pour le moment.',
})
