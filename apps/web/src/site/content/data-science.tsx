import { QuarterHourMosaic } from '../illustrations/mosaic.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage } from '../page.tsx'

export default createContentPage('/expertise/data-science', [
  {
    kind: 'hero',
    eyebrow: 'Expertise · Science des données',
    title: '35 040 quarts d’heure par an et par compteur',
    lead: 'Pour ceux qui ont déjà cherché une heure perdue dans un tableur. Recevoir, dater, vérifier et répartir des millions de valeurs, sans en inventer une seule.',
    actions: [
      { label: 'Demander une démo', opens: 'booking' },
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
    ],
    picture: {
      picture: 'completude',
      alt: 'Matrice de complétude : dix points sur le mois, toutes les cases reçues sauf cinq jours manquants pour un compteur de bureaux.',
      caption: 'Site industriel Rhône-Sud : un compteur muet depuis cinq jours, repéré d’un regard.',
    },
  },
  {
    kind: 'table',
    title: 'Le calendrier réel',
    lead: 'Le mètre étalon d’une répartition, c’est le nombre de quarts d’heure attendus. Il n’est pas toujours de 96 par jour.',
    look: 'figures',
    columns: ['Jour ou mois', 'Heures', 'Pas de 15 min', 'Pas de 30 min', 'Pas de 10 min'],
    groups: [
      {
        rows: [
          { label: 'Un jour ordinaire', cells: ['24', '96', '48', '144'] },
          { label: '29 mars 2026', note: 'Passage à l’heure d’été', cells: ['23', '92', '46', '138'] },
          { label: '25 octobre 2026', note: 'Passage à l’heure d’hiver', cells: ['25', '100', '50', '150'] },
          { label: 'Octobre 2026', cells: ['745', '2 980', '1 490', '4 470'] },
          { label: 'Mars 2027', cells: ['743', '2 972', '1 486', '4 458'] },
        ],
      },
    ],
    note: 'Le 25 octobre, 2 h 30 existe deux fois. Les instants sont conservés en temps universel ; l’heure de Paris n’est qu’une façon de les lire.',
  },
  {
    kind: 'story',
    ground: 'soft',
    eyebrow: 'La complétude',
    title: 'Voir ce qui manque avant de compter ce qu’on a',
    paragraphs: [
      'Une case par point et par jour : reçue, partielle, estimée, corrigée, manquante. Le trou saute aux yeux, la redemande aussi.',
    ],
    points: [
      { term: 'Reçu', text: 'Tous les pas attendus ce jour-là, compte tenu du changement d’heure.' },
      { term: 'Corrigé', text: 'Le distributeur a publié une nouvelle version ; l’ancienne est gardée.' },
      { term: 'Estimé', text: 'Complété d’après les quatre semaines précédentes, et marqué comme tel.' },
      { term: 'Manquant', text: 'Rien. Et rien n’est pas zéro.' },
    ],
    illustration: QuarterHourMosaic,
  },
  {
    kind: 'table',
    title: 'Un watt-heure ne se coupe pas en trois sans précaution',
    lead: 'Trois voisins consomment 800, 250 et 300 Wh pendant que le toit en donne 1 000. Au prorata, personne ne tombe juste.',
    look: 'figures',
    columns: ['Méthode de calcul', 'Atelier', 'École', 'Maison', 'Total'],
    groups: [
      {
        rows: [
          { label: 'Valeurs exactes', cells: ['592,59', '185,19', '222,22', '1 000,00'] },
          {
            label: 'Arrondi de chaque part',
            note: 'Juste par chance ; pas toujours',
            cells: ['593', '185', '222', '1 000'],
          },
          { label: 'Clés tronquées à 0,1 %', note: '59,2, 18,5 et 22,2 %', cells: ['592', '185', '222', '999'] },
          { label: 'Plus fort reste', note: 'Ce que fait Voisol', cells: ['593', '185', '222', '1 000'] },
        ],
      },
    ],
    note: 'Avec des clés tronquées, un watt-heure disparaît dans le surplus à chaque quart d’heure. Le plus fort reste garantit, à chaque pas, que la somme des parts et du surplus égale la production.',
  },
  {
    kind: 'story',
    ground: 'soft',
    title: 'Les pièges que nous avons appris à reconnaître',
    paragraphs: ['Chacun a déjà faussé une facture quelque part.'],
    points: [
      {
        term: 'Début ou fin',
        text: 'Certains fichiers datent la mesure du début du pas, d’autres de sa fin. Un décalage d’un quart d’heure suffit à perdre le matin.',
      },
      {
        term: 'W ou kW',
        text: 'Une moyenne de puissance n’est pas une énergie : 540 W pendant 30 minutes font 270 Wh.',
      },
      {
        term: 'Pas qui change',
        text: 'Un compteur passe de 30 à 15 minutes au milieu du mois : qui ne regarde pas double le total.',
      },
      {
        term: 'Valeur impossible',
        text: 'Au-delà de la puissance souscrite, une mesure est une panne, pas une consommation.',
      },
      { term: 'Sens inversé', text: 'Un point déclaré en soutirage qui injecte à midi : signalé avant d’être compté.' },
      {
        term: 'Rectification',
        text: 'Une journée corrigée rend le calcul périmé ; il est signalé à refaire, et l’écart est montré.',
      },
    ],
  },
  {
    kind: 'features',
    title: 'Trois principes',
    items: [
      {
        title: 'Des entiers',
        text: 'Puissances et énergies sont des nombres entiers. Les divisions se font une fois, au bord, jamais au milieu du calcul.',
      },
      {
        title: 'Des versions',
        text: 'Une mesure ne se remplace pas, elle se succède. On peut recalculer un mois tel qu’il était connu le jour de la facture.',
      },
      {
        title: 'Des preuves',
        text: 'Chaque calcul porte l’empreinte de ses données et de sa clé. Deux calculs de même empreinte donnent le même résultat.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Donnez-nous votre pire fichier',
    text: 'Changement d’heure, trous, doublons : l’import vous dira ligne par ligne ce qu’il en pense.',
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Les formats reconnus', href: '/features#formats' },
    ],
  },
])
