import { StudyScene } from '../illustrations/scenes.tsx'
import { createContentListPage } from './content-list.tsx'

export default createContentListPage({
  eyebrow: 'Livres blancs',
  title: 'Des dossiers complets, à lire et à faire circuler',
  lead: 'Le cadre, la méthode et les chiffres, rassemblés pour une assemblée générale, un conseil municipal ou un comité d’investissement.',
  illustration: StudyScene,
  empty: 'Aucun livre blanc n’est publié pour le moment.',
})
