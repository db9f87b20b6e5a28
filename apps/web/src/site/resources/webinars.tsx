import { AssemblyScene } from '../illustrations/assembly.tsx'
import { createContentListPage } from './content-list.tsx'

export default createContentListPage({
  eyebrow: 'Webinaires',
  title: 'Quarante-cinq minutes pour poser vos questions',
  lead: 'Un sujet, une démonstration, vos questions. L’inscription est gratuite\u00a0; le lien de connexion vous est envoyé par e-mail.',
  illustration: AssemblyScene,
  empty:
    'Aucun webinaire n’est programmé pour le moment. Abonnez-vous à la lettre pour connaître les prochaines dates.',
  letter: true,
})
