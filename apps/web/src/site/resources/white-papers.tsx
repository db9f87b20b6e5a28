import { Study } from '../illustrations/scenes.tsx'
import { shelf } from './shelf.tsx'

export default shelf({
  eyebrow: 'Livres blancs',
  title: 'Des dossiers complets, à lire et à faire circuler',
  lead: 'Le cadre, la méthode et les chiffres, rassemblés pour une assemblée générale, un conseil municipal ou un comité d’investissement.',
  illustration: Study,
  empty: 'Aucun livre blanc n’est publié pour le moment.',
})
