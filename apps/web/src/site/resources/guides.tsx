import { Stages } from '../illustrations/scenes.tsx'
import { shelf } from './shelf.tsx'

export default shelf({
  eyebrow: 'Guides',
  title: 'Monter une opération, étape par étape',
  lead: 'Des guides pratiques pour ceux qui portent un projet\u00a0: convaincre, choisir, signer, démarrer.',
  illustration: Stages,
  empty: 'Aucun guide n’est publié pour le moment.',
})
