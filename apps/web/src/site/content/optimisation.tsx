import { EnergyBalance } from '../blocks/balance.tsx'
import { LoadShiftingScene } from '../illustrations/shift.tsx'
import { DayColumns } from '../illustrations/small-scenes.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage, createCustomBlock } from '../page.tsx'

export default createContentPage('/solutions/optimisation-energetique', [
  {
    kind: 'hero',
    eyebrow: 'Optimisation énergétique',
    title: 'Le même toit, mieux partagé',
    lead: 'Pour ceux dont les panneaux tournent déjà et qui voient partir trop de surplus. Trois leviers, du plus simple au plus durable : la clé, les heures, les voisins.',
    actions: [
      { label: 'Demander une démo', opens: 'booking' },
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
    ],
    picture: {
      picture: 'comparaison',
      alt: 'Comparaison de cinq méthodes sur un mois : quatre partagent 3,22 MWh, la clé statique 2,80 MWh.',
      caption: 'Cinq méthodes sur les 2 880 quarts d’heure de juin 2026.',
    },
  },
  {
    kind: 'story',
    eyebrow: 'Premier levier : la clé',
    title: 'Changer une règle, gagner 415 kWh en un mois',
    paragraphs: [
      'Une clé statique réserve à chacun sa part, même quand il est absent : ce qu’il n’utilise pas rejoint le surplus. Une clé dynamique la rend à ceux qui consomment à ce moment-là.',
      'Sur les relevés de juin de la résidence de démonstration, passer de l’une à l’autre fait monter l’autoconsommation de 49 à 56 %, sans un panneau de plus.',
    ],
    points: [
      {
        term: 'Comparer',
        text: 'Toutes les méthodes sont appliquées à vos propres relevés, participant par participant.',
      },
      {
        term: 'Équité',
        text: 'Un indice d’inégalité accompagne chaque méthode : ce que l’on gagne ensemble, qui le gagne ?',
      },
    ],
    illustration: LoadShiftingScene,
  },
  {
    kind: 'story',
    ground: 'soft',
    eyebrow: 'Deuxième levier : les heures',
    title: 'Dix points de plus en chauffant l’eau à midi',
    paragraphs: [
      'Ballon d’eau chaude, véhicule, lave-linge, froid : ce qui peut attendre le soleil vaut mieux à midi qu’à trois heures du matin.',
      'Exemple calculé sur une année type à Lyon : dans un immeuble de 24 logements sous 36 kWc, déplacer 22 kWh par jour de la nuit vers 11 h – 16 h porte l’autoconsommation de 61 à 71 %.',
    ],
    points: [
      {
        term: 'Prévenir',
        text: 'Les bonnes heures habituelles sont affichées dès aujourd’hui ; celles du lendemain suivent la prévision, avec leur taux de réussite passé.',
      },
      {
        term: 'Gagner',
        text: 'Piloter les usages d’après la prévision ajoute 5 à 15 % d’autoconsommation [objectif].',
      },
      { term: 'Vérifier', text: 'Le mois suivant, le surplus a baissé ou non : c’est mesuré.' },
    ],
    more: {
      label: 'Comment se fait la prévision',
      href: '/expertise/intelligence-artificielle',
    },
    illustration: DayColumns,
    side: 'left',
  },
  createCustomBlock(EnergyBalance, {
    eyebrow: 'Troisième levier : les voisins',
    title: 'Le bon voisin vaut mieux que le bon panneau',
    lead: 'Le même toit de 36 kWc, à mesure que l’opération s’agrandit. La production ne change pas ; ce qu’on en fait, si.',
    rows: [
      {
        label: 'L’immeuble seul',
        note: '24 logements et les communs',
        shared: 26,
        surplus: 16.9,
        selfConsumption: 61,
        selfProduction: 28,
      },
      {
        label: 'Avec une école',
        note: '+ 48 MWh par an',
        shared: 34.3,
        surplus: 8.7,
        selfConsumption: 80,
        selfProduction: 25,
      },
      {
        label: 'Avec des bureaux',
        note: '+ 36 MWh par an',
        shared: 38.6,
        surplus: 4.4,
        selfConsumption: 90,
        selfProduction: 22,
      },
      {
        label: 'Avec une boulangerie',
        note: '+ 40 MWh par an',
        shared: 40.6,
        surplus: 2.4,
        selfConsumption: 95,
        selfProduction: 19,
      },
    ],
    note: 'Calcul de Voisol sur une année type, heure par heure, à Lyon, plein sud, 30° ; profils de consommation modélisés. L’autoproduction baisse parce que l’énergie se partage entre plus de monde : c’est le surplus qui disparaît.',
  }),
  {
    kind: 'steps',
    ground: 'soft',
    title: 'Trois mois pour s’améliorer, preuves à l’appui',
    items: [
      {
        title: 'Mesurer',
        text: 'Une saison de courbes : où part le surplus, à quelles heures, chez qui il aurait servi.',
      },
      { title: 'Choisir', text: 'Un seul levier à la fois, pour savoir ce qui a marché.' },
      { title: 'Appliquer', text: 'La nouvelle clé prend effet à sa date ; l’ancienne reste au dossier.' },
      { title: 'Comparer', text: 'Même mois de l’an passé, même ensoleillement : l’écart est à vous.' },
    ],
  },
  {
    kind: 'call',
    title: 'Voyez ce que vous laissez partir',
    text: 'Importez un mois de relevés : la comparaison des méthodes est immédiate.',
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Demander une démo', opens: 'booking' },
    ],
  },
])
