import BookOpen from 'lucide-react/icons/book-open'
import CircleHelp from 'lucide-react/icons/circle-question-mark'
import Compass from 'lucide-react/icons/compass'
import FileText from 'lucide-react/icons/file-text'
import Newspaper from 'lucide-react/icons/newspaper'
import Presentation from 'lucide-react/icons/presentation'
import { StudyScene } from '../illustrations/scenes.tsx'
import { createContentPage } from '../page.tsx'

export default createContentPage('/resources', [
  {
    kind: 'hero',
    eyebrow: 'Ressources',
    title: 'Tout ce qu’il faut pour partager en connaissance de cause',
    lead: 'L’autoconsommation collective touche au droit, à la mesure, à l’argent et au voisinage. Voici de quoi comprendre, convaincre et faire.',
    actions: [
      { label: 'Commencer par les questions', href: '/resources/faq' },
      { label: 'Ouvrir le guide d’utilisation', href: '/user-guide' },
    ],
    illustration: StudyScene,
  },
  {
    kind: 'features',
    title: 'Par où commencer',
    lead: 'Selon ce que vous cherchez\u00a0: une réponse, une méthode, un exemple ou un mode d’emploi.',
    items: [
      {
        icon: CircleHelp,
        title: 'Questions fréquentes',
        text: 'Le périmètre, la part de chacun, les taxes, les données\u00a0: des réponses courtes et sourcées.',
        more: { label: 'Lire les réponses', href: '/resources/faq' },
      },
      {
        icon: Compass,
        title: 'Guides pratiques',
        text: 'Monter une opération, convaincre une assemblée, choisir la personne morale, préparer la convention.',
        more: { label: 'Ouvrir les guides', href: '/resources/guides' },
      },
      {
        icon: BookOpen,
        title: 'Documentation',
        text: 'Le guide d’utilisation, l’API, les formats de fichiers et les règles de calcul.',
        more: { label: 'Ouvrir la documentation', href: '/resources/documentation' },
      },
      {
        icon: Newspaper,
        title: 'Actualités et blog',
        text: 'Les règles qui changent et des analyses avec leurs calculs.',
        more: { label: 'Lire les actualités', href: '/resources/actualites' },
      },
      {
        icon: FileText,
        title: 'Livres blancs et études de cas',
        text: 'Des dossiers complets à faire circuler, et trois opérations décrites de bout en bout.',
        more: { label: 'Voir les livres blancs', href: '/white-papers' },
      },
      {
        icon: Presentation,
        title: 'Webinaires',
        text: 'Un sujet, une démonstration, vos questions\u00a0: quarante-cinq minutes, gratuitement.',
        more: { label: 'Voir les dates', href: '/resources/webinaires' },
      },
    ],
  },
  {
    kind: 'call',
    title: 'Une question qui n’est pas là\u00a0?',
    text: 'Posez-la à une personne qui connaît le sujet.',
    actions: [
      { label: 'Nous écrire', href: '/contact' },
      { label: 'Études de cas', href: '/case-studies' },
    ],
  },
])
