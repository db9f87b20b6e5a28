import { ChangeTimeline } from '../blocks/timeline.tsx'
import { RegisterScene } from '../illustrations/register.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage, createCustomBlock } from '../page.tsx'

export default createContentPage('/solutions/gestion-intelligente', [
  {
    kind: 'hero',
    eyebrow: 'Gestion intelligente',
    title: 'Le dossier de l’opération, toujours à la bonne date',
    lead: 'Pour le syndic, la personne morale ou le gestionnaire qui tient des dizaines de participants : chaque mouvement est saisi une fois, prend effet à son jour et se retrouve dans le calcul.',
    actions: [
      { label: 'Demander une démo', opens: 'booking' },
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
    ],
    illustration: RegisterScene,
  },
  {
    kind: 'story',
    eyebrow: 'Chaque matin',
    title: 'On commence par ce qui demande un regard',
    paragraphs: [
      'Le tableau de bord ne montre pas d’abord des courbes, mais des décisions : un mois prêt à être arrêté, un consentement qui expire, un relevé corrigé après coup.',
      'Chaque ligne mène à l’écran qui la règle. Quand la liste est vide, la journée peut commencer ailleurs.',
    ],
    picture: {
      picture: 'a-traiter',
      alt: 'Liste « À traiter » : une répartition à recalculer, quatre consentements qui expirent, deux mois qui peuvent être arrêtés, neuf participants à vérifier.',
      caption: 'Le tableau de bord de la société de démonstration, un 15 novembre.',
    },
  },
  createCustomBlock(ChangeTimeline, {
    ground: 'soft',
    title: 'Un mois d’octobre ordinaire',
    lead: 'Quatre mouvements en trente et un jours, et un changement d’heure. Le mois est calculé par sous-périodes ; personne n’ouvre un tableur.',
    items: [
      {
        date: 'Le 5',
        title: 'Une locataire quitte le 304',
        text: 'Sa participation s’arrête à minuit. Ses données d’avant restent les siennes, sa part d’après revient aux autres selon la clé.',
      },
      {
        date: 'Le 12',
        title: 'Un nouveau point entre',
        text: 'Le compteur est à 430 m, il n’appartient à aucune autre opération, l’accord est signé : les contrôles passent, l’entrée est acceptée.',
      },
      {
        date: 'Le 20',
        title: 'La clé change',
        text: 'L’assemblée a préféré la clé dynamique. La version 2 prend effet ce jour ; la version 1, qui a servi à un calcul définitif, ne peut plus être modifiée.',
      },
      {
        date: 'Le 25',
        title: 'On passe à l’heure d’hiver',
        text: 'La journée compte 100 quarts d’heure au lieu de 96 ; le mois en compte 2 980. Deux fois 2 h 30, et chacune à sa place.',
      },
      {
        date: 'Le 2 novembre',
        title: 'Le mois est arrêté',
        text: 'Les relevés sont complets : le calcul définitif est lancé. Une correction ultérieure le signalera à refaire et montrera l’écart.',
      },
    ],
  }),
  {
    kind: 'table',
    title: 'Ce qui est contrôlé à l’entrée',
    lead: 'Mieux vaut un refus expliqué le premier jour qu’un rejet du distributeur le trentième.',
    columns: ['Contrôle', 'La règle', 'Si elle n’est pas tenue'],
    groups: [
      {
        rows: [
          { label: 'Point de livraison', cells: ['14 chiffres, un seul sens', 'La ligne est refusée, avec la raison'] },
          { label: 'Exclusivité', cells: ['Une opération à la fois', 'L’autre opération et ses dates sont nommées'] },
          {
            label: 'Distance',
            cells: [
              '2, 10 ou 20 km entre les deux points les plus éloignés',
              'Les deux points en cause sont montrés sur le plan',
            ],
          },
          { label: 'Puissance', cells: ['5 MW cumulés en métropole', 'La marge restante est affichée'] },
          {
            label: 'Clé',
            cells: ['Au plus 100 % à chaque sous-période', 'L’adoption est refusée, la période est nommée'],
          },
          { label: 'Consentement', cells: ['Trois ans au plus, par finalité', 'Rappel 60 jours avant l’échéance'] },
        ],
      },
    ],
  },
  {
    kind: 'features',
    ground: 'soft',
    title: 'Ce que vous ne ferez plus',
    items: [
      {
        title: 'Recopier',
        text: 'Une liste de participants s’importe en CSV ou Excel, avec un essai à blanc : chaque ligne dit si elle passera, et pourquoi.',
      },
      {
        title: 'Recalculer',
        text: 'Une répartition se refait à l’identique des mois plus tard : mêmes données, même clé, même résultat, à la même empreinte.',
      },
      {
        title: 'Rechercher',
        text: 'Accords, consentements, annexes et versions de clé sont rangés avec l’opération. Le journal dit qui a fait quoi.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Confiez-nous votre fichier de participants',
    text: 'Importez-le à blanc : vous saurez en une minute ce qui lui manque.',
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Voir les fonctionnalités', href: '/features' },
    ],
  },
])
