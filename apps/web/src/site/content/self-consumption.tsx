import { SlicedHour } from '../illustrations/sliced-hour.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage } from '../page.tsx'

export default createContentPage('/solutions/autoconsommation-collective', [
  {
    kind: 'hero',
    eyebrow: 'L’autoconsommation collective, expliquée',
    title: 'Partager un toit sans tirer un seul câble',
    lead: 'L’électricité passe par le réseau public, comme toujours. Ce qui se partage, c’est le compte : à chaque quart d’heure, la production du toit est attribuée à des voisins qui consomment.',
    actions: [
      { label: 'Simuler mon projet', opens: 'simulator' },
      { label: 'Demander une démo', opens: 'booking' },
    ],
    illustration: SlicedHour,
  },
  {
    kind: 'steps',
    title: 'Le principe, en une minute',
    items: [
      {
        title: 'Un toit injecte',
        text: 'L’énergie que le bâtiment n’utilise pas lui-même part sur le réseau et son compteur la mesure.',
      },
      {
        title: 'Des voisins soutirent',
        text: 'Au même moment, leurs compteurs mesurent ce qu’ils consomment. Rien ne change chez eux.',
      },
      {
        title: 'Une clé attribue',
        text: 'La règle choisie ensemble dit quelle part revient à chacun, sans jamais dépasser ce qu’il a consommé.',
      },
      {
        title: 'Deux factures s’ajustent',
        text: 'La part locale est payée au producteur ; le fournisseur ne compte plus que le complément.',
      },
    ],
  },
  {
    kind: 'story',
    ground: 'soft',
    eyebrow: 'La preuve par une journée',
    title: 'Le 11 juin, dans une résidence de 24 logements',
    paragraphs: [
      'Le toit de 36 kWc a produit 176 kWh. Les logements et les parties communes en ont consommé 104 au moment même où ils étaient produits : 42 % de leur électricité de la journée.',
      'Les 72 kWh restants sont le surplus. Un voisin de plus, actif le jour, en aurait pris une bonne part.',
    ],
    points: [
      { term: 'Autoconsommation', text: '59 % : la part de la production qui a trouvé preneur dans l’opération.' },
      { term: 'Autoproduction', text: '42 % : la part de la consommation venue du toit.' },
      { term: 'Complément', text: '146 kWh, fournis comme avant par le fournisseur de chacun.' },
    ],
    picture: {
      picture: 'courbes',
      alt: 'Courbes de la résidence le 11 juin 2026 : énergie locale au milieu du jour, réseau le matin et le soir, surplus entre les deux.',
      caption: 'Opération de démonstration « Résidence Les Tilleuls », au pas de 15 minutes.',
    },
  },
  {
    kind: 'table',
    title: 'Qui fait quoi',
    lead: 'Six rôles suffisent à décrire toutes les opérations. Une même personne peut en tenir plusieurs.',
    columns: ['Rôle', 'Ce qu’il fait', 'Ce qui change pour lui'],
    groups: [
      {
        rows: [
          {
            label: 'Producteur',
            cells: ['Injecte l’énergie d’un toit ou d’une ombrière', 'Vend d’abord à ses voisins, puis le surplus'],
          },
          {
            label: 'Consommateur',
            cells: [
              'Soutire, comme avant, par son compteur communicant',
              'Paie la part locale au producteur, le reste à son fournisseur',
            ],
          },
          {
            label: 'Personne morale organisatrice',
            cells: ['Réunit les participants et choisit la clé', 'Signe la convention et transmet les coefficients'],
          },
          {
            label: 'Gestionnaire de réseau',
            cells: ['Mesure, calcule et publie les quantités', 'Applique la clé, informe les fournisseurs'],
          },
          {
            label: 'Fournisseur',
            cells: ['Fournit le complément', 'Reçoit la part locale du gestionnaire et la déduit'],
          },
          {
            label: 'Acheteur du surplus',
            cells: ['Achète ce que l’opération n’a pas consommé', 'Rien : il reçoit le surplus de chaque producteur'],
          },
        ],
      },
    ],
  },
  {
    kind: 'story',
    ground: 'soft',
    eyebrow: 'Le prix',
    title: 'Entre un plancher et un plafond',
    paragraphs: [
      'Le prix de l’énergie locale se décide librement entre producteurs et consommateurs. Deux bornes le cadrent sans qu’aucun texte ne les impose.',
    ],
    points: [
      {
        term: 'Le plancher',
        text: 'Ce que vaudrait le surplus : au premier trimestre 2026, 4,00 c€/kWh jusqu’à 9 kWc et 5,36 c€/kWh de 9 à 100 kWc en obligation d’achat. En dessous, le producteur perd à partager.',
      },
      {
        term: 'Le plafond',
        text: 'Ce que le consommateur paierait ce kilowattheure à son fournisseur. Au-dessus, il perd à participer.',
      },
      {
        term: 'L’accise',
        text: 'À taux nul sur l’énergie partagée depuis le 1er mars 2025, pour un site de moins de 1 MW et sous conditions ; 30,85 €/MWh sur le complément d’un logement depuis le 1er février 2026.',
      },
      {
        term: 'Le TURPE',
        text: 'Avec la formule facultative propre à l’autoconsommation collective, l’acheminement de la part autoproduite coûte moins cher, celui du reste un peu plus.',
      },
    ],
    more: { label: 'Les règles et leurs dates', href: '/expertise/reglementaire' },
  },
  {
    kind: 'figures',
    title: 'Ce n’est plus une expérience',
    items: [
      { prefix: '2018', figure: '6', label: 'opérations en service en France' },
      { prefix: 'Mai 2024', figure: '428', label: 'opérations, 4 776 consommateurs' },
      { prefix: 'Début 2025', figure: '1 111', label: 'opérations' },
      { prefix: 'Début 2025', figure: '161', unit: 'MW', label: 'de production partagée' },
    ],
  },
  {
    kind: 'faq',
    ground: 'soft',
    title: 'Les premières questions',
    items: [
      {
        question: 'Est-ce bien l’électricité du toit qui arrive chez moi ?',
        answer:
          'Les électrons prennent le chemin le plus court, et c’est souvent celui-là. Mais le partage est un compte, pas un tuyau : il attribue la production mesurée à la consommation mesurée au même moment.',
      },
      {
        question: 'Et la nuit ?',
        answer:
          'Le fournisseur alimente tout le monde, comme avant. C’est pourquoi l’autoproduction d’un logement dépasse rarement un tiers sur l’année.',
      },
      {
        question: 'Faut-il un boîtier ?',
        answer:
          'Non. Le compteur communicant suffit, avec l’accord de chacun pour que sa courbe de charge soit transmise.',
      },
      {
        question: 'Combien de temps faut-il pour démarrer ?',
        answer:
          'Le temps de réunir les participants : il est conseillé de s’y prendre six mois avant. La personne morale signe ensuite la convention avec le gestionnaire de réseau.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Commencez par un ordre de grandeur',
    text: 'Une puissance et une consommation annuelle suffisent au simulateur pour estimer votre partage.',
    actions: [
      { label: 'Simuler mon projet', opens: 'simulator' },
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
    ],
  },
])
