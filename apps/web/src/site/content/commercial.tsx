import { ShopStreet } from '../illustrations/shop-street.tsx'
import { createContentPage } from '../page.tsx'

export default createContentPage('/solutions-commerciales', [
  {
    kind: 'hero',
    eyebrow: 'Solutions commerciales',
    title: 'Du premier appel au premier kilowattheure',
    lead: 'Commerces, bureaux, bailleurs, collectivités : ce que vous achetez, dans quel ordre, avec qui, et ce que Voisol ne vend pas.',
    actions: [
      { label: 'Demander une démo', opens: 'booking' },
      { label: 'Voir les tarifs', href: '/pricing' },
    ],
    illustration: ShopStreet,
  },
  {
    kind: 'table',
    title: 'L’offre qui correspond à votre situation',
    columns: ['Votre situation', 'Formule de départ', 'Option utile', 'Premier pas'],
    groups: [
      {
        rows: [
          {
            label: 'Commerces et bureaux',
            note: 'Une ombrière, une rue, un centre commercial',
            cells: ['Starter', 'Audit énergétique', 'Simuler la puissance de l’ombrière'],
          },
          {
            label: 'Copropriété ou syndic',
            note: 'Une résidence, puis d’autres',
            cells: ['Starter', 'Formation avancée', 'Comparer les clés avant l’assemblée'],
          },
          {
            label: 'Collectivité',
            note: 'Écoles, gymnases, habitants',
            cells: ['Professional', 'Audit énergétique', 'Vérifier le périmètre'],
          },
          {
            label: 'Zone industrielle',
            note: 'Grandes toitures, sites voisins',
            cells: ['Professional', 'Intégrations', 'Dresser le bilan de zone'],
          },
          {
            label: 'Bailleur ou opérateur',
            note: 'De nombreuses opérations',
            cells: ['Enterprise', 'Support prioritaire', 'Cadrer la reprise des données'],
          },
        ],
      },
    ],
    note: 'La formule suit le nombre de points de mesure : 50, 200 ou illimité. Les options s’ajoutent à tout moment.',
  },
  {
    kind: 'steps',
    ground: 'soft',
    title: 'Quatre rendez-vous, pas un de plus',
    items: [
      {
        title: 'Démonstration, 30 minutes',
        text: 'En visioconférence, sur une opération proche de la vôtre. Vous choisissez le jour et l’heure.',
      },
      {
        title: 'Simulation',
        text: 'Production, autoconsommation, économies, temps de retour : un rapport à montrer à ceux qui décident.',
      },
      {
        title: 'Essai, 30 jours',
        text: 'Votre espace, vos courbes, vos participants. L’installation prend 48 h [objectif].',
      },
      { title: 'Contrat', text: 'Mensuel ou annuel, remboursable pendant 30 jours, sans frais d’installation.' },
    ],
  },
  {
    kind: 'story',
    title: 'Ce que Voisol ne vend pas',
    paragraphs: [
      'Un bon partage suppose que chacun reste dans son rôle. Nous tenons les comptes ; d’autres font le reste, et nous travaillons avec eux.',
    ],
    points: [
      {
        term: 'Des panneaux',
        text: 'L’installateur que vous choisissez les pose. Nos études ne dépendent d’aucune marque.',
      },
      {
        term: 'De l’électricité',
        text: 'Les producteurs la vendent, les fournisseurs complètent. Nos formules ne dépendent pas de l’énergie partagée.',
      },
      {
        term: 'Un avis juridique',
        text: 'Nous donnons la règle, son article et sa date ; votre conseil en tire le contrat.',
      },
      {
        term: 'Vos données',
        text: 'Elles restent les vôtres : exportables à tout moment et hébergées en France [objectif].',
      },
    ],
    more: { label: 'Installateurs, bureaux d’études : nos partenaires', href: '/partners' },
  },
  {
    kind: 'features',
    ground: 'soft',
    title: 'Trois arguments pour ceux qui signent',
    items: [
      {
        title: 'Pour la direction financière',
        text: 'Un coût fixe, connu d’avance, qui ne varie pas avec l’énergie partagée. Pour 26 points, 5,73 € par point et par mois.',
        points: ['1 609 € par an en Starter', 'Remise de 10 % au paiement annuel'],
      },
      {
        title: 'Pour la direction juridique',
        text: 'Les consentements, leur version et leur échéance sont tenus ; le journal d’audit est chaîné.',
        points: ['Finalités distinctes', 'Export et effacement des données'],
      },
      {
        title: 'Pour la direction informatique',
        text: 'Rien à installer. Rôles, second facteur, sessions révocables, disponibilité publique jour par jour.',
        points: ['Hébergement en France [objectif]', 'Certification ISO 27001 en cours [objectif]'],
        more: { label: 'La sécurité', href: '/platform#security' },
      },
    ],
  },
  {
    kind: 'call',
    title: 'Prenez trente minutes',
    text: 'Un créneau dans les 60 jours, du lundi au vendredi. Venez avec vos questions, repartez avec des chiffres.',
    claims: ['Support 24/7 [objectif]', 'Réponse du support en moins de 5 minutes [objectif]'],
    actions: [
      { label: 'Demander une démo', opens: 'booking' },
      { label: 'Simuler mon projet', opens: 'simulator' },
    ],
  },
])
