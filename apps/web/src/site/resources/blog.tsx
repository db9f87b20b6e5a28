import { DayColumns } from '../illustrations/small-scenes.tsx'
import { createContentListPage } from './content-list.tsx'

export default createContentListPage({
  eyebrow: 'Blog',
  title: 'Comprendre avant de partager',
  lead: 'Des analyses plus longues, avec leurs calculs\u00a0: clés de répartition, dimensionnement, qualité des données.',
  illustration: DayColumns,
  empty: 'Aucune analyse n’est publiée pour le moment.',
  letter: true,
})
