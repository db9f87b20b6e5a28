import { StagesScene } from '../illustrations/scenes.tsx'
import { createContentPage } from '../page.tsx'

export default createContentPage('/resources/documentation', [
  {
    kind: 'hero',
    eyebrow: 'Documentation',
    title: 'Comment Voisol compte, et comment s’y brancher',
    lead: 'Le mode d’emploi des écrans, les interfaces pour vos logiciels, les formats que nous lisons et les règles que nous appliquons.',
    actions: [
      { label: 'Guide d’utilisation', href: '/user-guide' },
      { label: 'Documentation de l’API', href: '/api-docs' },
    ],
    illustration: StagesScene,
  },
  {
    kind: 'features',
    title: 'Trois entrées',
    items: [
      {
        title: 'Pour ceux qui tiennent une opération',
        text: 'Créer, inviter, importer, répartir, expliquer\u00a0: cinq groupes de guides courts.',
        points: ['Premiers pas', 'Opérations et participants', 'Données et courbes', 'Répartition', 'Portail client'],
        more: { label: 'Ouvrir le guide', href: '/user-guide' },
      },
      {
        title: 'Pour ceux qui programment',
        text: 'Une API HTTP en JSON, documentée d’après le contrat même que le serveur applique.',
        points: ['Authentification par jeton', 'Opérations et participants', 'Données d’énergie', 'Webhooks signés'],
        more: { label: 'Ouvrir la documentation de l’API', href: '/api-docs' },
      },
      {
        title: 'Pour ceux qui décident',
        text: 'Le cadre, les méthodes et leurs effets, sans formule superflue.',
        points: ['Réglementation', 'Clés de répartition', 'Livres blancs', 'Études de cas'],
        more: { label: 'Lire l’expertise réglementaire', href: '/expertise/reglementaire' },
      },
    ],
  },
  {
    kind: 'story',
    ground: 'soft',
    title: 'Les formats que nous lisons',
    paragraphs: [
      'Un fichier déposé est reconnu à son contenu\u00a0: format, unité, pas, convention d’horodatage et fuseau sont montrés avant d’être enregistrés. Ce qui ne va pas est signalé ligne par ligne, et rien n’est importé à moitié.',
    ],
    points: [
      { term: 'R63, HDM', text: 'Courbes de charge publiées par Enedis, en CSV.' },
      { term: 'R50, R4x', text: 'Courbes et relevés, en XML.' },
      { term: 'Espace client', text: 'L’export des habitants et des entreprises, en CSV ou XLSX.' },
      { term: 'CSV large', text: 'Une colonne par point\u00a0: «\u00a0Horodate\u00a0; PRM1\u00a0; PRM2\u00a0».' },
      {
        term: 'Coefficients',
        text: 'Un fichier par producteur, «\u00a0;\u00a0» et virgule décimale, comme le gestionnaire de réseau l’attend.',
      },
    ],
    more: { label: 'Comment importer des courbes', href: '/user-guide' },
  },
  {
    kind: 'story',
    title: 'Les règles que nous appliquons',
    paragraphs: [
      'Les calculs se font en nombres entiers, sur chaque quart d’heure\u00a0; la somme des parts et du surplus égale toujours la production. Un pas sans donnée est exclu et compté, jamais rempli en silence.',
    ],
    points: [
      {
        term: 'Pas de temps',
        text: 'Quart d’heure\u00a0; un jour en compte 96, et 92 ou 100 aux changements d’heure.',
      },
      { term: 'Arrondis', text: 'Au plus fort reste\u00a0: ce qui est réparti est exactement ce qui a été produit.' },
      {
        term: 'Corrections',
        text: 'Une nouvelle valeur est une nouvelle version\u00a0: on sait toujours ce qui était connu, et quand.',
      },
    ],
    more: { label: 'Lire «\u00a0data science\u00a0»', href: '/expertise/data-science' },
  },
  {
    kind: 'call',
    title: 'Essayer sans rien installer',
    text: 'Les appels de l’API se lancent depuis leur documentation, sur les données de démonstration.',
    actions: [
      { label: 'Essayer l’API', href: '/api-docs' },
      { label: 'Nous écrire', href: '/contact' },
    ],
  },
])
