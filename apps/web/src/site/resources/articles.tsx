import { GridMeter } from '../illustrations/small-scenes.tsx'
import { createContentListPage } from './content-list.tsx'

export default createContentListPage({
  eyebrow: 'Actualités',
  title: 'Ce qui change pour l’énergie partagée',
  lead: 'Règles, tarifs, données et pratiques de l’autoconsommation collective, expliqués avec leurs dates et leurs sources.',
  illustration: GridMeter,
  empty: 'Aucune actualité n’est publiée pour le moment.',
  letter: true,
})
