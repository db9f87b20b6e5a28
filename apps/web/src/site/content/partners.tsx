import Building from 'lucide-react/icons/building'
import Cable from 'lucide-react/icons/cable'
import Compass from 'lucide-react/icons/compass'
import DraftingCompass from 'lucide-react/icons/drafting-compass'
import Hammer from 'lucide-react/icons/hammer'
import Landmark from 'lucide-react/icons/landmark'
import { HubScene } from '../illustrations/hub.tsx'
import { createContentPage } from '../page.tsx'
import { exchanges } from './exchanges.ts'

export default createContentPage('/partners', [
  {
    kind: 'hero',
    eyebrow: 'Partenaires',
    title: 'Une opération se monte à plusieurs',
    lead: 'Poser, concevoir, conseiller, administrer, financer, raccorder : chacun son métier, autour d’une même donnée que Voisol tient à jour.',
    actions: [
      { label: 'Devenir partenaire', href: '/contact' },
      { label: 'Demander une démo', opens: 'booking' },
    ],
    illustration: HubScene,
  },
  {
    kind: 'features',
    title: 'Avec qui nous travaillons',
    lead: 'Six métiers que l’on croise dans presque toutes les opérations, et ce que Voisol change pour chacun.',
    items: [
      {
        icon: Hammer,
        title: 'Installateurs',
        text: 'Proposez à vos clients un toit qui se partage. Après la pose, la performance de chaque centrale se suit à distance, panne comprise.',
      },
      {
        icon: DraftingCompass,
        title: 'Bureaux d’études',
        text: 'Des études heure par heure à partir de vos relevés, une comparaison des clés, et des hypothèses que votre client peut relire.',
      },
      {
        icon: Compass,
        title: 'Assistants à maîtrise d’ouvrage',
        text: 'Les étapes du projet, leurs échéances et leurs pièces dans un même dossier, de l’étude à la convention.',
      },
      {
        icon: Building,
        title: 'Syndics',
        text: 'Plusieurs résidences sur un écran, des entrées et sorties à leur date, une réponse prête pour chaque copropriétaire.',
      },
      {
        icon: Landmark,
        title: 'Collectivités',
        text: 'Un périmètre vérifié, un bilan public lisible, et des habitants qui comprennent où va l’énergie de l’école.',
      },
      {
        icon: Cable,
        title: 'Intégrateurs',
        text: 'Une API documentée et des webhooks signés pour relier Voisol à la supervision, à la gestion locative ou à la comptabilité.',
      },
    ],
  },
  {
    kind: 'showcase',
    ground: 'soft',
    eyebrow: 'Les intégrations',
    title: 'Ce qui entre, ce qui sort',
    lead: 'Une opération échange chaque mois avec plus d’interlocuteurs qu’elle n’a de panneaux. Voici lesquels, et dans quel sens.',
    items: exchanges,
    more: { label: 'Documentation de l’API', href: '/api-docs' },
  },
  {
    kind: 'steps',
    title: 'Travailler ensemble',
    items: [
      { title: 'Se connaître', text: 'Une démonstration sur un cas de votre métier.' },
      {
        title: 'Essayer',
        text: 'Un espace d’essai de 30 jours, avec une opération réelle ou l’opération de démonstration.',
      },
      {
        title: 'Mener un projet',
        text: 'Une première opération, la vôtre ou celle d’un client, suivie ensemble du début à la fin.',
      },
      {
        title: 'Continuer',
        text: 'Votre marque dans le portail si vous le souhaitez, et vos remarques dans le produit.',
      },
    ],
  },
  {
    kind: 'faq',
    ground: 'soft',
    title: 'Questions de partenaires',
    items: [
      {
        question: 'Qui reste l’interlocuteur du client ?',
        answer: 'Vous. La marque blanche met votre nom, votre logo et vos couleurs dans l’espace des participants.',
      },
      {
        question: 'Puis-je suivre les opérations de plusieurs clients ?',
        answer:
          'Oui. Une même personne peut appartenir à plusieurs sociétés et passer de l’une à l’autre, chacune gardant ses données séparées.',
      },
      {
        question: 'Comment reprendre une opération déjà en service ?',
        answer:
          'Participants et points s’importent d’un fichier, l’historique des courbes aussi. Un mois calculé en double permet de vérifier la continuité.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Vous avez un projet, ou vingt',
    text: 'Dites-nous votre métier et le prochain toit : nous commencerons par celui-là.',
    actions: [
      { label: 'Devenir partenaire', href: '/contact' },
      { label: 'Une solution sur mesure', href: '/solutions/sur-mesure' },
    ],
  },
])
