import { EnergyBalance } from '../blocks/balance.tsx'
import { StudyScene } from '../illustrations/scenes.tsx'
import { Sizing } from '../illustrations/sizing.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage, createCustomBlock } from '../page.tsx'

export default createContentPage('/expertise/conception', [
  {
    kind: 'hero',
    eyebrow: 'Expertise · Conception solaire',
    title: 'La bonne puissance est celle que l’on consommera',
    lead: 'Pour le bureau d’études, l’assistant à maîtrise d’ouvrage ou la commune qui doit choisir entre 36 et 72 kWc : combien de plus, pour qui, et ce que devient le reste.',
    actions: [
      { label: 'Simuler mon projet', opens: 'simulator' },
      { label: 'Demander une démo', opens: 'booking' },
    ],
    picture: {
      picture: 'etude',
      alt: 'Étude du projet Cœur d’Oullins : 70 % d’autoconsommation, 140 000 € d’investissement, 12,8 ans de retour, bilan de chaque mois.',
      caption: 'Projet de démonstration : 125 kWc, 35 candidats.',
    },
  },
  createCustomBlock(EnergyBalance, {
    title: 'Doubler la puissance ne double pas le partage',
    lead: 'Un immeuble de 24 logements à Lyon, qui consomme 92 MWh par an. On ajoute des panneaux, puis un voisin.',
    rows: [
      { label: '18 kWc', note: 'L’immeuble seul', shared: 18.9, surplus: 2.6, selfConsumption: 88, selfProduction: 21 },
      { label: '36 kWc', note: 'L’immeuble seul', shared: 26, surplus: 16.9, selfConsumption: 61, selfProduction: 28 },
      {
        label: '72 kWc',
        note: 'L’immeuble seul',
        shared: 31.5,
        surplus: 54.4,
        selfConsumption: 37,
        selfProduction: 34,
      },
      {
        label: '72 kWc et une école',
        note: '+ 48 MWh par an',
        shared: 48.5,
        surplus: 37.4,
        selfConsumption: 57,
        selfProduction: 35,
      },
      {
        label: '72 kWc, école et bureaux',
        note: '+ 84 MWh par an',
        shared: 58.8,
        surplus: 27.1,
        selfConsumption: 68,
        selfProduction: 33,
      },
    ],
    note: 'Calcul de Voisol sur une année type, heure par heure, plein sud, 30°, pertes de 14 %, profils modélisés. De 36 à 72 kWc, l’énergie partagée n’augmente que de 21 % tandis que le surplus triple : les voisins du jour valent mieux que les panneaux.',
  }),
  {
    kind: 'table',
    ground: 'soft',
    title: 'Le même panneau, ailleurs et autrement',
    lead: 'Ce que produit un kilowatt-crête en une année type.',
    look: 'figures',
    columns: ['Toit', 'kWh par kWc et par an', 'Face à Lyon plein sud'],
    groups: [
      {
        title: 'Plein sud à 30°, selon le lieu',
        rows: [
          { label: 'Lille', cells: ['971', '81 %'] },
          { label: 'Strasbourg', cells: ['1 094', '92 %'] },
          { label: 'Rennes', cells: ['1 116', '94 %'] },
          { label: 'Lyon', cells: ['1 193', '100 %'] },
          { label: 'Bordeaux', cells: ['1 246', '104 %'] },
          { label: 'Marseille', cells: ['1 451', '122 %'] },
        ],
      },
      {
        title: 'À Lyon, selon l’orientation et la pente',
        rows: [
          { label: 'Sud-est, 30°', cells: ['1 153', '97 %'] },
          { label: 'Sud, 10°, toit-terrasse', cells: ['1 147', '96 %'] },
          { label: 'Est, 15°', cells: ['1 073', '90 %'] },
          { label: 'Ouest, 15°', cells: ['1 061', '89 %'] },
          { label: 'Nord, 15°', cells: ['957', '80 %'] },
          { label: 'Façade sud, 90°', cells: ['782', '66 %'] },
        ],
      },
    ],
    note: 'Modèle de production de Voisol, sans masque. Un toit est-ouest produit 11 % de moins, mais plus tôt et plus tard : pour l’immeuble ci-dessus, il porte l’autoconsommation de 61 à 67 % et ne perd que 2 % d’énergie partagée.',
  },
  {
    kind: 'story',
    eyebrow: 'L’étude',
    title: 'Une année heure par heure, sur vos toits et vos voisins',
    paragraphs: [
      'L’étude d’un projet part des toitures, de leur orientation, de leur pente et de leur lieu, et des candidats : une consommation annuelle et un profil, ou leur vraie courbe si elle est connue.',
    ],
    points: [
      {
        term: 'Production',
        text: 'Position du soleil, ciel habituel du lieu, température des modules, écrêtage de l’onduleur.',
      },
      { term: 'Consommation', text: 'Treize profils, du logement chauffé à l’électricité à l’entrepôt frigorifique.' },
      { term: 'Partage', text: 'La clé choisie, appliquée comme elle le sera en service.' },
      { term: 'Argent', text: 'Investissement, recettes, économies de chaque candidat, temps de retour.' },
    ],
    side: 'left',
    illustration: Sizing,
  },
  {
    kind: 'story',
    ground: 'soft',
    title: 'Cinq erreurs que l’on voit encore',
    paragraphs: ['Elles coûtent rarement un panneau ; elles coûtent souvent dix points d’autoconsommation.'],
    points: [
      { term: 'Remplir le toit', text: 'La surface disponible n’est pas un besoin.' },
      {
        term: 'Raisonner à l’année',
        text: 'Produire autant qu’on consomme sur l’année laisse plus de la moitié en surplus.',
      },
      { term: 'Oublier l’été', text: 'Une école vide en juillet a besoin de voisins qui ne le sont pas.' },
      {
        term: 'Copier un ratio',
        text: '1 100 kWh par kWc est une moyenne : entre Lille et Marseille, l’écart est de moitié.',
      },
      { term: 'Choisir la clé après', text: 'Clé et puissance se choisissent ensemble ; l’une change l’autre.' },
    ],
    illustration: StudyScene,
  },
  {
    kind: 'call',
    title: 'Testez trois puissances avant d’en voter une',
    text: 'Créez le projet, ajoutez les toits et les candidats : l’étude se refait en quelques secondes.',
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Simuler mon projet', opens: 'simulator' },
    ],
  },
])
