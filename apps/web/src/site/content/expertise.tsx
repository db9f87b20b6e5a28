import { DistrictScene, StudyScene } from '../illustrations/scenes.tsx'
import { DayColumns, GridMeter } from '../illustrations/small-scenes.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage } from '../page.tsx'

export default createContentPage('/expertise', [
  {
    kind: 'hero',
    eyebrow: 'L’expertise, pour ceux qui doivent décider',
    title: 'Du toit au règlement : ce qu’il faut savoir pour partager juste',
    lead: 'Une opération réussie tient à quatre métiers : concevoir, prévoir, respecter la règle, traiter la donnée. Voici comment nous les exerçons.',
    actions: [
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
      { label: 'Demander une démo', opens: 'booking' },
    ],
    illustration: StudyScene,
  },
  {
    kind: 'anchors',
    items: [
      { id: 'solar-design', label: 'Conception solaire' },
      { id: 'ai', label: 'Intelligence artificielle' },
      { id: 'regulatory', label: 'Réglementaire' },
      { id: 'data-science', label: 'Science des données' },
    ],
  },
  {
    kind: 'steps',
    id: 'solar-design',
    eyebrow: 'Conception solaire',
    title: 'Dimensionner d’après les voisins',
    lead: 'La bonne puissance n’est pas celle que le toit peut porter, mais celle que l’opération saura consommer.',
    items: [
      {
        title: 'Lire les consommations',
        text: 'Une année de courbes au quart d’heure, par participant : le talon de nuit, les pointes, les vacances.',
      },
      {
        title: 'Estimer la production',
        text: 'Orientation, pente, masques et lieu : un kilowatt-crête ne donne pas la même chose à Lille et à Nice.',
      },
      {
        title: 'Croiser les deux',
        text: 'Taux d’autoconsommation, taux d’autoproduction et surplus pour chaque puissance envisagée.',
      },
      {
        title: 'Choisir avec les autres',
        text: 'Ajouter un voisin qui consomme le jour vaut souvent mieux qu’ajouter un panneau.',
      },
    ],
    more: { label: 'La conception solaire', href: '/expertise/conception' },
  },
  {
    kind: 'story',
    id: 'ai',
    ground: 'soft',
    eyebrow: 'Intelligence artificielle',
    title: 'Prévoir, et dire avec quelle marge',
    paragraphs: [
      'La prévision de production annonce 95 % de précision [objectif]. Elle s’affiche toujours avec sa bande d’incertitude, puis à côté de ce qui a été mesuré.',
      'Elle sert à une chose : déplacer vers le soleil ce qui peut l’être. L’autoconsommation y gagne 5 à 15 % [objectif].',
    ],
    points: [
      { term: 'Entrées', text: 'Historique de l’installation, position du soleil, météo.' },
      { term: 'Sortie', text: 'Une courbe et ses marges pour les jours à venir, au pas de la mesure.' },
      {
        term: 'Contrôle',
        text: 'L’écart entre prévu et mesuré est montré par échéance : une prévision se juge après coup.',
      },
    ],
    more: {
      label: 'Comment nous prévoyons',
      href: '/expertise/intelligence-artificielle',
    },
    illustration: DayColumns,
  },
  {
    kind: 'story',
    id: 'regulatory',
    eyebrow: 'Réglementaire',
    title: 'Les règles, et où elles sont écrites',
    paragraphs: [
      'L’autoconsommation collective lie des producteurs et des consommateurs finals au sein d’une personne morale (article L. 315-2 du code de l’énergie). Le reste en découle.',
    ],
    points: [
      {
        term: 'Distance',
        text: '2 km entre les deux participants les plus éloignés ; 10 km en zone périurbaine, 20 km en zone rurale, par dérogation du ministre.',
      },
      {
        term: 'Puissance',
        text: '5 MW cumulés en métropole, 0,5 MW en zone non interconnectée (arrêté du 21 novembre 2019 modifié).',
      },
      { term: 'Pas de mesure', text: 'Celui du règlement des écarts : 15 minutes.' },
      {
        term: 'Clé',
        text: 'La personne morale transmet ses coefficients ou leur méthode de calcul ; à défaut, la répartition se fait au prorata des consommations (article D. 315-6).',
      },
      {
        term: 'TURPE',
        text: 'Formules facultatives propres à l’autoconsommation collective : la part autoproduite y est moins chère que la part alloproduite.',
      },
      {
        term: 'Taxes',
        text: 'Accise à taux nul sur l’énergie partagée pour un site de moins de 1 MW, sous conditions ; TVA à 20 % sauf franchise en base.',
      },
      {
        term: 'Données',
        text: 'Compteur communicant, accord de chaque participant, finalités distinctes pour le calcul et pour l’analyse.',
      },
    ],
    more: { label: 'Articles, taux et dates', href: '/expertise/reglementaire' },
    illustration: DistrictScene,
    side: 'left',
  },
  {
    kind: 'story',
    id: 'data-science',
    ground: 'soft',
    eyebrow: 'Science des données',
    title: 'Un jour a 92, 96 ou 100 quarts d’heure',
    paragraphs: [
      'Au passage à l’heure d’été il en manque quatre, au passage à l’heure d’hiver il y en a quatre de plus. Qui compte toujours 96 se trompe deux fois par an.',
    ],
    points: [
      {
        term: 'Absence',
        text: 'Une valeur manquante reste manquante. La compléter est une estimation, et elle est marquée comme telle.',
      },
      {
        term: 'Correction',
        text: 'Une donnée corrigée est une nouvelle version : on sait ce qui était connu le jour de la facture.',
      },
      {
        term: 'Arrondi',
        text: 'Les calculs se font en entiers ; la somme des parts et du surplus égale la production, exactement.',
      },
      {
        term: 'Vraisemblance',
        text: 'Une valeur au-delà de la puissance souscrite, un point déclaré dans le mauvais sens : signalés avant d’être comptés.',
      },
    ],
    more: { label: 'La science des données', href: '/expertise/data-science' },
    illustration: GridMeter,
  },
  {
    kind: 'call',
    title: 'Mettez-nous à l’épreuve',
    text: 'Importez vos courbes, changement d’heure compris, et comparez nos totaux à ceux de votre distributeur.',
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Simuler mon projet', opens: 'simulator' },
    ],
  },
])
