import { StagesScene } from '../illustrations/scenes.tsx'
import { createContentListPage } from './content-list.tsx'

export default createContentListPage({
  eyebrow: 'Guides',
  title: 'Monter une opération, étape par étape',
  lead: 'Des guides pratiques pour ceux qui portent un projet\u00a0: convaincre, choisir, signer, démarrer.',
  illustration: StagesScene,
  empty: 'Aucun guide n’est publié pour le moment.',
})
