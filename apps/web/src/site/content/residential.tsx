import { CondominiumScene } from '../illustrations/scenes.tsx'
import { SharedRoof } from '../illustrations/small-scenes.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage } from '../page.tsx'

export default createContentPage('/solutions/residential', [
  {
    kind: 'hero',
    eyebrow: 'Copropriétés, syndics et bailleurs',
    title: 'Le soleil du toit, dans chaque logement',
    lead: 'Les panneaux sont à tous ; encore faut-il que chacun y trouve son compte. Voisol répartit et explique sans alourdir le travail du syndic.',
    actions: [
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
      { label: 'Comparer les répartitions', href: '/solutions#methodes' },
    ],
    illustration: CondominiumScene,
  },
  {
    kind: 'features',
    title: 'Ce qui change pour chacun',
    items: [
      {
        title: 'Pour le syndic',
        text: 'Un calcul reçu chaque mois, des pièces prêtes pour l’assemblée générale, des réponses toutes faites aux copropriétaires.',
        points: ['Entrées et sorties à leur date', 'Relevé annuel par participant', 'Aucune donnée à ressaisir'],
      },
      {
        title: 'Pour l’habitant',
        text: 'La part locale vient en déduction de ce que son fournisseur lui compte. Il ne change ni de compteur ni de contrat.',
        points: [
          'Sa part d’énergie locale, jour par jour',
          'Ses factures et leurs explications',
          'Ses seules données, visibles de lui seul',
        ],
      },
      {
        title: 'Pour le bailleur',
        text: 'Un organisme HLM peut être lui-même la personne morale organisatrice ; chaque locataire garde le droit de ne pas participer.',
        points: [
          'Information préalable des locataires',
          'Refus et sorties tenus à jour',
          'Plusieurs résidences, un seul écran',
        ],
      },
    ],
  },
  {
    kind: 'steps',
    ground: 'soft',
    title: 'De l’assemblée générale au premier kilowattheure',
    items: [
      {
        title: 'Voter',
        text: 'La copropriété décide du projet et de la clé : par tantièmes, à parts égales ou au prorata des consommations.',
      },
      {
        title: 'Inscrire',
        text: 'Chaque participant signe son accord et consent à la transmission de sa courbe de charge.',
      },
      {
        title: 'Raccorder',
        text: 'La convention est signée avec le gestionnaire de réseau ; les compteurs communicants suffisent, sans boîtier ni travaux chez l’habitant.',
      },
      {
        title: 'Suivre',
        text: 'La répartition du jour est visible dès le lendemain ; la facture du mois suit les quantités définitives.',
      },
    ],
  },
  {
    kind: 'story',
    title: 'Une facture que l’on comprend',
    paragraphs: [
      'L’énergie locale et le complément sont deux choses distinctes : la première est vendue par le producteur, le second par le fournisseur de chacun.',
    ],
    points: [
      {
        term: 'Énergie locale',
        text: 'Les kilowattheures affectés, au prix convenu. L’accise est à taux nul depuis le 1er mars 2025 quand le site de production fait moins de 1 MW, sous les conditions fixées par l’administration.',
      },
      {
        term: 'Acheminement',
        text: 'Le TURPE se paie au fournisseur, avec le complément. Une formule propre à l’autoconsommation collective, facultative, distingue l’énergie autoproduite de l’énergie alloproduite.',
      },
      { term: 'TVA', text: '20 %, ou la franchise en base du producteur avec sa mention.' },
      { term: 'Complément', text: 'Ce que le toit n’a pas fourni, facturé comme avant par le fournisseur.' },
    ],
    illustration: SharedRoof,
    side: 'left',
  },
  {
    kind: 'faq',
    ground: 'soft',
    title: 'Questions de copropriétaires',
    items: [
      {
        question: 'Que devient ma part quand je suis absent ?',
        answer:
          'Avec une clé dynamique, elle va aux voisins qui consomment à ce moment-là. Avec une clé statique, elle rejoint le surplus de l’opération.',
      },
      {
        question: 'Dois-je prévenir mon fournisseur ?',
        answer: 'Non. Le gestionnaire de réseau lui transmet la part d’énergie locale, et il ne facture que le reste.',
      },
      {
        question: 'Qui voit ma consommation ?',
        answer:
          'Vous, et le gestionnaire de l’opération pour le calcul et la facturation. Les autres participants n’en voient rien.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Préparez votre prochaine assemblée générale',
    text: 'Importez une année de courbes et montrez à chacun, chiffres à l’appui, ce que donnerait chaque clé.',
    claims: ['30 jours d’essai gratuit', 'Installation en 48 h [objectif]', 'Support 24/7 [objectif]'],
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Demander une démo', opens: 'booking' },
    ],
  },
])
