import { ForecastHorizonScene } from '../illustrations/horizon.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage } from '../page.tsx'

export default createContentPage('/solutions/analytics-predictions', [
  {
    kind: 'hero',
    eyebrow: 'Analyses et prédictions',
    title: 'Des chiffres qui disent jusqu’où les croire',
    lead: 'Pour le gestionnaire d’énergie qui doit expliquer un résultat ou annoncer le suivant : chaque indicateur porte sa formule, sa période et ses manques ; chaque prévision porte sa marge.',
    actions: [
      { label: 'Demander une démo', opens: 'booking' },
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
    ],
    picture: {
      picture: 'production',
      alt: 'Tableau des centrales : puissance, production, kilowattheures par kilowatt-crête, performance et complétude de chacune.',
      caption: 'Sept centrales de la démonstration, juin 2026.',
    },
  },
  {
    kind: 'table',
    title: 'Six indicateurs, six formules',
    lead: 'Deux taux portent presque le même nom et ne disent pas la même chose. Les voici côte à côte, une fois pour toutes.',
    columns: ['Indicateur', 'Formule', 'À lire ainsi'],
    groups: [
      {
        rows: [
          {
            label: 'Taux d’autoconsommation',
            cells: ['énergie partagée ÷ production', 'Quelle part du toit a trouvé preneur ?'],
          },
          {
            label: 'Taux d’autoproduction',
            cells: ['énergie partagée ÷ consommation', 'Quelle part des besoins vient du toit ?'],
          },
          { label: 'Surplus', cells: ['production − énergie partagée', 'Ce qui est vendu hors de l’opération'] },
          { label: 'Complément', cells: ['consommation − énergie partagée', 'Ce que le fournisseur facture'] },
          {
            label: 'Complétude',
            cells: ['quarts d’heure reçus ÷ attendus', 'Au-dessus de 95 %, excellente ; sous 80 %, insuffisante'],
          },
          {
            label: 'CO₂ évité',
            cells: ['énergie partagée × (réseau − solaire)', 'Facteurs et source affichés sous le chiffre'],
          },
        ],
      },
    ],
  },
  {
    kind: 'story',
    ground: 'soft',
    eyebrow: 'Comprendre',
    title: 'Une centrale en retrait ne se voit pas sur sa seule courbe',
    paragraphs: [
      'Il a fait gris : est-ce le ciel ou l’onduleur ? Chaque centrale est comparée à ce que le soleil laissait attendre d’elle, et à ses voisines sous le même ciel.',
      'Dans la démonstration, un toit est signalé après sept jours à 56 % de ce que laissaient attendre les autres centrales.',
    ],
    points: [
      { term: 'Productible', text: 'En kWh par kWc, comparable d’un toit à l’autre.' },
      { term: 'Performance', text: 'Le rapport entre produit et attendu, au jour, au mois, à l’année.' },
      { term: 'Carte de chaleur', text: 'Une année d’un regard : 24 heures en hauteur, 365 jours en largeur.' },
    ],
  },
  {
    kind: 'story',
    eyebrow: 'Prévoir',
    title: 'Demain, avec sa marge',
    paragraphs: [
      'La production solaire est prévue par IA avec 95 % de précision [objectif]. La courbe prévue s’entoure d’une bande : étroite pour demain, large pour la fin de semaine.',
      'Une prévision n’a de valeur que si elle fait mieux que la plus simple de toutes : « demain sera comme aujourd’hui ». C’est à elle que chaque prévision émise est comparée, sur les mêmes heures.',
    ],
    points: [
      { term: '48 heures', text: 'Pour décider quand lancer ce qui peut attendre.' },
      { term: '7 jours', text: 'Pour prévenir l’acheteur du surplus et les participants.' },
      {
        term: 'Après coup',
        text: 'L’écart entre prévu et mesuré reste visible, jour après jour, pour votre opération.',
      },
    ],
    more: { label: 'La précision mesurée', href: '/expertise/intelligence-artificielle#mesure' },
    illustration: ForecastHorizonScene,
  },
  {
    kind: 'steps',
    ground: 'soft',
    title: 'D’un chiffre à une décision',
    items: [
      {
        title: 'Regarder',
        text: 'Jour, semaine, mois, année, en kWh ou en CO₂ : la même donnée, deux questions.',
      },
      { title: 'Comparer', text: 'À la période précédente, à l’an passé, à une autre opération.' },
      { title: 'Vérifier', text: 'Sous chaque graphique, son tableau, ses trous et la date des dernières données.' },
      {
        title: 'Transmettre',
        text: 'Export exact de ce qui est affiché, pour l’assemblée, l’élu ou le commissaire aux comptes.',
      },
    ],
  },
  {
    kind: 'faq',
    title: 'Questions de gestionnaires',
    items: [
      {
        question: 'Les données sont-elles instantanées ?',
        answer:
          'Le pas est de 15 minutes, la publication est quotidienne : le distributeur livre chaque matin la veille, et chaque mois les quantités définitives. La date des dernières données est toujours affichée.',
      },
      {
        question: 'Que devient un trou dans les mesures ?',
        answer:
          'Il reste un trou. Il est dessiné comme tel, compté dans la complétude et exclu du calcul définitif. Une estimation est possible ; elle est alors marquée comme une estimation.',
      },
      {
        question: 'Pourquoi votre CO₂ évité est-il plus bas qu’ailleurs ?',
        answer:
          'Parce que l’électricité française est déjà peu carbonée : de l’ordre de 52 g par kWh en moyenne, contre 44 g pour un panneau fabriqué en Chine. Nous affichons l’écart réel et sa source.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Posez une question à vos données',
    text: 'En trente minutes de démonstration, nous y répondons sur un cas proche du vôtre.',
    actions: [
      { label: 'Demander une démo', opens: 'booking' },
      { label: 'Voir les tarifs', href: '/pricing' },
    ],
  },
])
