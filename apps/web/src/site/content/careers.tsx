import { WorkshopScene } from '../illustrations/open-door.tsx'
import { createContentPage } from '../page.tsx'

export default createContentPage('/careers', [
  {
    kind: 'hero',
    eyebrow: 'Carrières',
    title: 'Travailler sur l’énergie que l’on partage',
    lead: 'Peu de métiers permettent d’expliquer à ses voisins, chiffres à l’appui, ce que l’on fait de ses journées. Celui-ci en est un.',
    actions: [
      { label: 'Candidature spontanée', href: '/contact' },
      { label: 'Découvrir l’équipe', href: '/about#team' },
    ],
    note: 'Aucun poste n’est affiché aujourd’hui ; chaque candidature spontanée est lue.',
    illustration: WorkshopScene,
  },
  {
    kind: 'story',
    title: 'Comment nous travaillons',
    paragraphs: [
      'Une équipe réduite, des sujets entiers. Celui qui lit la règle parle à celui qui écrit le calcul, et tous deux lisent les questions des participants.',
    ],
    points: [
      {
        term: 'Écrire',
        text: 'Une décision tient en une page, relue par quelqu’un d’un autre métier. Les réunions en sont plus courtes.',
      },
      {
        term: 'Vérifier',
        text: 'Un calcul n’est fini que si un exemple fait à la main le confirme. Le doute est une contribution.',
      },
      { term: 'Livrer', text: 'De petits changements, souvent. Ce qui est en service est mesuré, et public.' },
      { term: 'Respirer', text: 'Le soleil ne se répartit pas la nuit. Nous non plus.' },
    ],
  },
  {
    kind: 'features',
    ground: 'soft',
    title: 'Ce que l’on apprend ici',
    items: [
      {
        title: 'Le réseau électrique',
        text: 'Compteurs, flux, conventions, tarifs : une culture rare, que l’on acquiert avec des fichiers réels.',
        points: ['Lire une courbe de charge', 'Comprendre une facture jusqu’au bout'],
      },
      {
        title: 'Le calcul exact',
        text: 'Des entiers, des preuves, des invariants : le plaisir d’une somme qui tombe juste à chaque quart d’heure.',
        points: ['Modéliser un toit', 'Tester ce qui doit rester vrai'],
      },
      {
        title: 'La clarté',
        text: 'Dire en une phrase ce qui prend dix pages. C’est un métier, et il s’enseigne.',
        points: ['Écrire pour un habitant', 'Dessiner pour un téléphone'],
      },
    ],
  },
  {
    kind: 'steps',
    title: 'Une candidature, quatre moments',
    items: [
      {
        title: 'Vous écrivez',
        text: 'Quelques lignes sur ce que vous aimez faire et un exemple dont vous êtes content. Ni lettre type ni formulaire à rallonge.',
      },
      {
        title: 'On se parle',
        text: 'Une conversation avec quelqu’un de votre métier, puis avec quelqu’un d’un autre.',
      },
      { title: 'On essaie', text: 'Un vrai petit sujet, ensemble, sur un temps borné et convenu d’avance.' },
      { title: 'On se dit oui ou non', text: 'Avec les raisons, dans les deux cas.' },
    ],
  },
  {
    kind: 'faq',
    ground: 'soft',
    title: 'Avant d’écrire',
    items: [
      {
        question: 'Faut-il connaître l’énergie ?',
        answer:
          'Non. Il faut de la curiosité pour elle. Le vocabulaire s’apprend en quelques semaines, le goût de l’exactitude plus lentement.',
      },
      {
        question: 'Quels profils vous intéressent ?',
        answer:
          'Ceux des six métiers de l’équipe : génie solaire, science des données, droit de l’énergie, développement, dessin et écriture, accompagnement.',
      },
      {
        question: 'Que devient ma candidature ?',
        answer:
          'Elle est lue, reçoit une réponse, et n’est gardée qu’avec votre accord. Vous pouvez demander son effacement à tout moment.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'La porte est ouverte',
    text: 'Choisissez un sujet qui vous tient à cœur et racontez-le-nous.',
    actions: [
      { label: 'Candidature spontanée', href: '/contact' },
      { label: 'À propos de Voisol', href: '/about' },
    ],
  },
])
