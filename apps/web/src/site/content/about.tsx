import {
  Adviser,
  Designer,
  Developer,
  DrawingTable,
  Jurist,
  Modeller,
  SolarEngineer,
} from '../illustrations/about-drawings.tsx'
import { createContentPage } from '../page.tsx'

export default createContentPage('/about', [
  {
    kind: 'hero',
    eyebrow: 'À propos de Voisol',
    title: 'Nous tenons les comptes du soleil',
    lead: 'Voisol est né d’un constat simple : on sait poser des panneaux et mesurer l’électricité, mais partager un toit entre voisins se faisait encore au tableur.',
    actions: [
      { label: 'Nous rencontrer', opens: 'booking' },
      { label: 'Nous écrire', href: '/contact' },
    ],
    illustration: DrawingTable,
  },
  {
    kind: 'story',
    title: 'Pourquoi un voisin et un soleil',
    paragraphs: [
      'Le nom dit tout : un voisin, un soleil. En 2018, six opérations d’autoconsommation collective existaient en France ; début 2025, plus de mille. Derrière chacune, quelqu’un recevait des fichiers par courriel et recalculait la part de chacun.',
      'Ce travail demande de l’exactitude, de la patience et des explications. Une machine fait bien les deux premières ; nous écrivons la troisième.',
    ],
    points: [
      {
        term: 'Ce que nous faisons',
        text: 'Une plateforme qui mesure, répartit, explique et facture l’énergie partagée.',
      },
      {
        term: 'Pour qui',
        text: 'Syndics, copropriétés, bailleurs, collectivités, sites industriels, gestionnaires d’énergie.',
      },
      {
        term: 'Où',
        text: 'En France, pour la France : ses règles, son réseau, ses compteurs. Les données y sont hébergées [objectif].',
      },
    ],
  },
  {
    kind: 'features',
    ground: 'soft',
    title: 'Ce à quoi nous tenons',
    items: [
      {
        title: 'L’exactitude avant l’effet',
        text: 'Un trou reste un trou. Une prévision a une marge. Un chiffre sans source n’est pas affiché.',
      },
      {
        title: 'Le français avant le jargon',
        text: 'Une personne qui n’a jamais entendu parler d’autoconsommation doit comprendre sa facture.',
      },
      {
        title: 'La règle avant la ruse',
        text: 'Chaque calcul suit un texte que l’on peut citer, et se refait à l’identique.',
      },
    ],
  },
  {
    kind: 'features',
    id: 'team',
    eyebrow: 'L’équipe',
    title: 'Six métiers autour d’une table',
    lead: 'Des portraits de métiers plutôt que de personnes : c’est leur rencontre qui fait le produit.',
    items: [
      {
        illustration: SolarEngineer,
        title: 'Génie solaire',
        text: 'Sait ce qu’un toit donnera, et pourquoi il donne moins. Écrit le modèle de production et relit chaque étude.',
      },
      {
        illustration: Modeller,
        title: 'Science des données',
        text: 'Reconnaît un compteur inversé à sa courbe. Veille à ce que la somme des parts égale la production, toujours.',
      },
      {
        illustration: Jurist,
        title: 'Droit de l’énergie',
        text: 'Lit le Journal officiel avant le café. Tient les tables de taux, d’articles et de dates.',
      },
      {
        illustration: Developer,
        title: 'Développement',
        text: 'Fait tenir des millions de quarts d’heure dans un écran qui s’ouvre aussitôt. Écrit les tests avant d’y croire.',
      },
      {
        illustration: Designer,
        title: 'Dessin et écriture',
        text: 'Cherche la phrase qui répond à la question, puis le graphique, puis le bouton. Enlève le reste.',
      },
      {
        illustration: Adviser,
        title: 'Accompagnement',
        text: 'Répond aux gestionnaires et aux participants, et rapporte à l’équipe ce qui n’était pas clair.',
      },
    ],
  },
  {
    kind: 'steps',
    ground: 'soft',
    title: 'Comment une règle devient un écran',
    items: [
      { title: 'Lire', text: 'Le texte, la note du distributeur, la question d’un participant.' },
      { title: 'Calculer', text: 'Un exemple à la main, que la machine devra retrouver au watt-heure près.' },
      { title: 'Dessiner', text: 'Ce que la personne doit comprendre en premier.' },
      { title: 'Vérifier', text: 'Avec un fichier réel, le jour du changement d’heure.' },
    ],
  },
  {
    kind: 'call',
    title: 'Parlons de votre toit, ou de votre métier',
    text: 'Que vous partagiez l’énergie ou l’envie de le faire, la porte est ouverte.',
    actions: [
      { label: 'Nous contacter', href: '/contact' },
      { label: 'Travailler avec nous', href: '/careers' },
    ],
  },
])
