import { SharedRoof } from '../illustrations/small-scenes.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage } from '../page.tsx'

export default createContentPage('/solutions/collective', [
  {
    kind: 'hero',
    eyebrow: 'Collectivités, ZAC et éco-quartiers',
    title: 'L’école produit, tout le quartier en profite',
    lead: 'Une commune a des toits, ses habitants ont des besoins. Voisol tient l’opération qui les relie et en rend compte à chacun.',
    actions: [
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
      { label: 'Demander une démo', opens: 'booking' },
    ],
    picture: {
      picture: 'operation',
      alt: 'Vue d’ensemble d’une opération : production, énergie partagée, surplus, taux d’autoconsommation et d’autoproduction, CO₂ évité.',
      caption: 'Éco-quartier des Berges, opération de démonstration : les quinze premiers jours de novembre.',
    },
  },
  {
    kind: 'story',
    title: 'Ce qui change pour le territoire',
    paragraphs: [
      'Le gymnase consomme le soir, la mairie le jour, les logements matin et soir. Réunis, ils consomment une production qu’aucun d’eux n’aurait su absorber seul.',
      'L’énergie locale a un prix décidé localement, stable, qui ne dépend pas des marchés ; un tarif social, jusqu’à la gratuité, est possible pour certains participants.',
    ],
    points: [
      {
        term: 'Élus',
        text: 'Un bilan public lisible : énergie produite, énergie partagée, surplus, CO₂ évité et son mode de calcul.',
      },
      {
        term: 'Services',
        text: 'Bâtiments, compteurs et contrats dans un même dossier, plusieurs opérations sur un même écran.',
      },
      { term: 'Habitants', text: 'Un espace personnel qui dit, en une phrase, ce que le quartier leur a fourni.' },
    ],
    illustration: SharedRoof,
  },
  {
    kind: 'steps',
    ground: 'soft',
    title: 'Comment l’opération se met en place',
    items: [
      {
        title: 'Tracer le périmètre',
        text: 'Voisol mesure la distance entre les deux points les plus éloignés et la puissance cumulée, et signale la dérogation nécessaire.',
      },
      {
        title: 'Créer la personne morale',
        text: 'Association, coopérative, syndicat ou bailleur : la personne morale organisatrice réunit producteurs et consommateurs.',
      },
      {
        title: 'Choisir la clé',
        text: 'Les méthodes sont comparées sur une année de courbes, participant par participant, avant la délibération.',
      },
      {
        title: 'Signer et démarrer',
        text: 'La convention et ses annexes partent chez le gestionnaire de réseau ; la répartition commence à la date d’effet.',
      },
    ],
  },
  {
    kind: 'figures',
    title: 'Les limites à connaître',
    lead: 'Elles sont contrôlées à chaque entrée d’un participant.',
    items: [
      { prefix: 'Règle générale', figure: '2', unit: 'km', label: 'entre les deux participants les plus éloignés' },
      { prefix: 'Périurbain', figure: '10', unit: 'km', label: 'par dérogation du ministre' },
      { prefix: 'Rural', figure: '20', unit: 'km', label: 'par dérogation du ministre' },
      {
        prefix: 'Puissance',
        figure: '5',
        unit: 'MW',
        label: 'cumulés en métropole ; 0,5 MW en zone non interconnectée',
      },
    ],
    note: 'Arrêté du 21 novembre 2019 modifié, notamment par celui du 21 février 2025, qui ouvre aux communes et intercommunalités une dérogation propre : moins de 10 MW et sans limite de distance, à l’intérieur de leur territoire, entre participants chargés d’un service public.',
  },
  {
    kind: 'faq',
    ground: 'soft',
    title: 'Questions de collectivités',
    items: [
      {
        question: 'La commune peut-elle alimenter ses seuls bâtiments ?',
        answer:
          'Oui. Quand producteur et consommateurs sont la même personne, l’opération est dite patrimoniale : il n’y a pas de vente, et un relevé interne tient lieu de facture.',
      },
      {
        question: 'Un habitant peut-il quitter l’opération ?',
        answer:
          'Oui. Sa sortie prend effet à une date ; le mois est calculé en deux périodes et sa part revient aux autres selon la clé.',
      },
      {
        question: 'Un même point peut-il appartenir à deux opérations ?',
        answer:
          'Non. Un point de livraison n’appartient qu’à une opération à la fois : le contrôle est fait à l’inscription.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Dessinez votre périmètre',
    text: 'Ajoutez vos bâtiments, vérifiez les distances et comparez les clés avant la prochaine délibération.',
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Les règles du périmètre', href: '/expertise/reglementaire' },
    ],
  },
])
