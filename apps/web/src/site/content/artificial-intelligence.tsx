import { MEASURED_ACCURACY } from '@voisol/energy/forecast/measured-accuracy'
import { CloudsScene } from '../illustrations/clouds.tsx'
import { GridMeter } from '../illustrations/small-scenes.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage } from '../page.tsx'

const formatPercent = (value: number, digits: number) => `${value.toFixed(digits).replace('.', ',')}\u00a0%`
const toMeasuredRow = ({ name, error, persistence, coverage }: (typeof MEASURED_ACCURACY)[number]) => ({
  label: name,
  cells: [formatPercent(error, 2), formatPercent(persistence, 2), formatPercent(coverage, 1)],
})

export default createContentPage('/expertise/intelligence-artificielle', [
  {
    kind: 'hero',
    eyebrow: 'Expertise · Intelligence artificielle',
    title: 'Une bonne prévision sait de combien elle se trompe',
    lead: 'Pour ceux qui doivent décider la veille : quand lancer, quand prévenir, quand attendre. La machine propose, montre ses preuves et laisse choisir.',
    actions: [
      { label: 'Demander une démo', opens: 'booking' },
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
    ],
    illustration: CloudsScene,
  },
  {
    kind: 'steps',
    title: 'La physique d’abord, l’apprentissage ensuite',
    lead: 'Un modèle qui ignore où est le soleil apprend mal ce que l’on sait déjà. Le nôtre part de ce qui est certain.',
    items: [
      {
        title: 'Le soleil',
        text: 'Sa hauteur et sa direction à chaque quart d’heure, l’angle sous lequel il frappe chaque pan de toit.',
      },
      {
        title: 'Le ciel',
        text: 'Nébulosité et température attendues : la lumière directe, la lumière diffuse, l’échauffement des modules.',
      },
      {
        title: 'Le toit',
        text: 'Ce que l’historique apprend et qu’aucun plan ne dit : l’arbre d’octobre, la poussière, l’onduleur qui écrête.',
      },
      { title: 'L’écart', text: 'Le reste est de l’incertitude : elle est mesurée, et dessinée autour de la courbe.' },
    ],
  },
  {
    kind: 'figures',
    ground: 'soft',
    title: 'Ce que nous annonçons',
    items: [
      { prefix: 'Production solaire', figure: '95', unit: '%', label: 'de précision annoncée [objectif]' },
      { prefix: 'Autoconsommation', figure: '5 à 15', unit: '%', label: 'de gain en pilotant les usages [objectif]' },
      { prefix: 'Horizon court', figure: '48', unit: 'h', label: 'pour décider quand lancer' },
      { prefix: 'Horizon long', figure: '7', unit: 'jours', label: 'pour prévenir' },
    ],
    note: 'Une précision s’entend toujours sur un horizon et une période. Elle est comparée à la prévision la plus naïve, « demain comme aujourd’hui » : si elle ne fait pas mieux, elle ne vaut rien.',
  },
  {
    kind: 'table',
    id: 'mesure',
    title: 'Ce que nous avons mesuré',
    lead: 'Trois toits de bureaux à Trondheim, en mars et avril 2023, prévus la veille avec la météo annoncée ce jour-là : des données publiques, que chacun peut reprendre. L’écart est la moyenne des écarts de chaque heure, nuits comprises, en part de la puissance du toit.',
    columns: ['Toit', 'Écart de la prévision', 'Écart de la dernière journée connue', 'Mesures dans la bande de 80 %'],
    groups: [{ rows: MEASURED_ACCURACY.map(toMeasuredRow) }],
  },
  {
    kind: 'table',
    title: 'Ce qu’un regard attentif sait trouver',
    lead: 'Six constats, chacun avec sa preuve. On les accepte, on les écarte, on demande pourquoi.',
    columns: ['Constat', 'La preuve montrée', 'Ce que vous pouvez faire'],
    groups: [
      {
        rows: [
          {
            label: 'Centrale en retrait',
            cells: ['Écart aux centrales voisines sous le même ciel', 'Appeler l’installateur, dates à l’appui'],
          },
          {
            label: 'Points inversés',
            cells: ['Une « consommation » qui suit le soleil', 'Corriger le sens avant le calcul'],
          },
          {
            label: 'Consommation de fond en hausse',
            cells: ['Écart à ses propres semaines, le froid mis à part', 'Prévenir le participant'],
          },
          { label: 'Clé plus favorable', cells: ['Énergie gagnée et indice d’équité', 'La proposer à l’assemblée'] },
          {
            label: 'Voisin à inviter',
            cells: ['Ce que son profil prendrait au surplus', 'L’inscrire parmi les candidats'],
          },
          {
            label: 'Bonnes heures de demain',
            cells: ['Surplus prévu et sa marge', 'Le dire dans le portail'],
          },
        ],
      },
    ],
  },
  {
    kind: 'story',
    ground: 'soft',
    title: 'Ce que la machine ne décide pas',
    paragraphs: [
      'La répartition est une règle votée, exécutée au watt près : aucun modèle n’y touche. L’intelligence artificielle éclaire, elle ne partage pas.',
    ],
    points: [
      { term: 'La part de chacun', text: 'Calculée par la clé adoptée, sur des mesures, refaisable à l’identique.' },
      {
        term: 'Une mesure',
        text: 'Jamais remplacée par une prévision. Une estimation est marquée, et n’entre pas dans un calcul définitif.',
      },
      { term: 'Une action', text: 'Rien ne s’allume ni ne s’éteint sans vous : ce sont des propositions.' },
      {
        term: 'Vos habitudes',
        text: 'L’analyse a son propre consentement, distinct de celui du calcul. Le retirer n’exclut pas de l’opération.',
      },
    ],
    illustration: GridMeter,
    side: 'left',
  },
  {
    kind: 'faq',
    title: 'Questions de sceptiques',
    items: [
      {
        question: 'Faut-il un an d’historique ?',
        answer:
          'Non. La physique donne une première prévision dès la mise en service ; quelques semaines de mesures l’affinent, une année lui apprend les ombres de chaque saison.',
      },
      {
        question: 'Que signifie « 95 % de précision » ?',
        answer:
          'C’est un objectif : que l’écart moyen entre l’énergie prévue et l’énergie mesurée soit de l’ordre de 5 % de la production sur la période. Un jour d’averses peut s’en écarter bien davantage ; la bande le dit.',
      },
      {
        question: 'Nos courbes entraînent-elles un modèle pour d’autres ?',
        answer:
          'Une courbe de charge est une donnée personnelle : elle ne sert qu’aux finalités que son titulaire a acceptées, et chaque finalité a son consentement.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Jugez-la après coup',
    text: 'Une prévision se juge sur vos propres toits. Celle de Voisol montre, échéance par échéance, l’écart entre prévu et mesuré.',
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'La précision de vos prévisions, une fois connecté', href: '/predictions' },
    ],
  },
])
