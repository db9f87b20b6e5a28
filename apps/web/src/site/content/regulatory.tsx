import type { TableContent } from '../blocks/table.tsx'
import { ChangeTimeline, type DatesContent } from '../blocks/timeline.tsx'
import { PerimeterRings } from '../illustrations/rings.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage, createCustomBlock } from '../page.tsx'

const regulatoryDates: DatesContent = {
  title: 'Neuf dates qui ont changé le calcul',
  items: [
    {
      date: '28 avril 2017',
      title: 'Le cadre',
      text: 'Clé, pas de mesure, stockage, énergie non affectée : les règles du partage sont écrites.',
      source: 'Décret n° 2017-676',
    },
    {
      date: '21 novembre 2019',
      title: 'Au-delà de l’immeuble',
      text: 'L’opération étendue : 2 km entre les participants les plus éloignés.',
      source: 'Arrêté du 21 novembre 2019',
    },
    {
      date: '2020 et 2023',
      title: 'Les campagnes',
      text: 'Dérogations à 20 km en zone rurale, puis à 10 km en zone périurbaine.',
      source: 'Arrêtés du 14 octobre 2020 et du 19 septembre 2023',
    },
    {
      date: 'Octobre 2024',
      title: 'Le quart d’heure',
      text: 'Les données de l’opération passent du pas de 30 minutes au pas de 15.',
    },
    {
      date: '1er mars 2025',
      title: 'L’accise s’efface',
      text: 'Taux nul sur l’énergie renouvelable partagée, pour un site de moins de 1 MW.',
      source: 'Loi n° 2025-127, art. 75',
    },
    {
      date: '5 mars 2025',
      title: 'De 3 à 5 MW',
      text: 'La limite de puissance augmente ; les services publics d’un même territoire peuvent aller jusqu’à 10 MW.',
      source: 'Arrêté du 21 février 2025',
    },
    {
      date: '1er août 2025',
      title: 'TURPE 7 et TVA unique',
      text: 'Nouveaux tarifs de réseau ; l’abonnement passe lui aussi à 20 % de TVA.',
    },
    {
      date: '1er février 2026',
      title: 'Taxes du complément',
      text: 'Accise à 30,85 €/MWh jusqu’à 36 kVA et 26,58 €/MWh au-delà ; contribution tarifaire ramenée de 21,93 à 15 %.',
    },
    {
      date: '1er septembre 2026',
      title: 'Factures électroniques',
      text: 'Réception obligatoire pour tous les assujettis ; émission pour tous un an plus tard.',
    },
  ],
  note: 'Voisol tient ces taux dans des tables datées : un changement s’applique à sa date, sans toucher aux mois déjà calculés.',
}

const turpeTable: TableContent = {
  kind: 'table',
  ground: 'soft',
  title: 'L’acheminement, avec et sans la formule collective',
  lead: 'Part variable du TURPE 7 au 1er août 2025, pour un logement en courte utilisation à quatre plages (CU4), en c€/kWh.',
  look: 'figures',
  columns: ['Formule', 'Pleines hiver', 'Creuses hiver', 'Pleines été', 'Creuses été'],
  groups: [
    {
      rows: [
        { label: 'Sans option collective', cells: ['7,49', '3,97', '1,66', '1,16'] },
        { label: 'Collective, part autoproduite', cells: ['2,86', '1,28', '0,76', '0,49'] },
        { label: 'Collective, part alloproduite', cells: ['7,52', '4,03', '1,73', '1,21'] },
      ],
    },
  ],
  note: 'La composante de gestion passe en contrepartie de 16,80 à 21,27 € par an. L’option se choisit par le fournisseur ; elle vaut d’autant mieux que le toit couvre une grande part de la consommation d’hiver.',
}

export default createContentPage('/expertise/reglementaire', [
  {
    kind: 'hero',
    eyebrow: 'Expertise · Réglementaire',
    title: 'La règle, son article, sa date',
    lead: 'Pour la personne morale organisatrice et ceux qui la conseillent. L’autoconsommation collective change plusieurs fois par an : ce qui vaut aujourd’hui, et depuis quand.',
    actions: [
      { label: 'Demander une démo', opens: 'booking' },
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
    ],
    illustration: PerimeterRings,
  },
  {
    kind: 'table',
    title: 'Ce que dit le code de l’énergie',
    columns: ['Sujet', 'La règle', 'Où elle est écrite'],
    groups: [
      {
        rows: [
          {
            label: 'Définition',
            cells: ['Producteurs et consommateurs finals liés au sein d’une personne morale', 'Art. L. 315-2'],
          },
          {
            label: 'Bailleurs sociaux',
            cells: [
              'Un organisme HLM peut être la personne morale ; le locataire peut refuser',
              'Art. L. 315-2-1 et L. 315-2-2',
            ],
          },
          { label: 'Tarif de réseau', cells: ['Un tarif propre à l’autoconsommation collective', 'Art. L. 315-3'] },
          {
            label: 'Convention',
            cells: ['Un contrat lie la personne morale au gestionnaire de réseau', 'Art. L. 315-4'],
          },
          {
            label: 'Pas de mesure',
            cells: ['Celui du règlement des écarts : 15 minutes', 'Art. D. 315-1 et suivants'],
          },
          {
            label: 'Clé',
            cells: ['Coefficients ou méthode transmis par la personne morale ; à défaut, au prorata', 'Art. D. 315-6'],
          },
          {
            label: 'Distance et puissance',
            cells: ['2 km et 5 MW, dérogations à 10 et 20 km', 'Arrêté du 21 novembre 2019 modifié'],
          },
        ],
      },
    ],
  },
  {
    kind: 'story',
    ground: 'soft',
    eyebrow: 'Le périmètre',
    title: 'Deux kilomètres, mais entre qui ?',
    paragraphs: [
      'La distance se compte entre les deux points les plus éloignés de l’opération, soutirage et injection confondus, et non depuis un centre. Un cercle de 2 km de diamètre suffit ; il n’est pas nécessaire.',
    ],
    points: [
      { term: '2 km', text: 'Règle générale, sans formalité.' },
      { term: '10 km', text: 'Communes périurbaines, par dérogation du ministre sur demande motivée.' },
      { term: '20 km', text: 'Communes rurales, de même ; tous les participants doivent s’y trouver.' },
      {
        term: 'Sans limite',
        text: 'Services publics d’une même commune ou intercommunalité, sous 10 MW, depuis mars 2025.',
      },
    ],
    picture: {
      picture: 'perimetre',
      alt: 'Plan d’un projet : 37 points tiennent dans un cercle de 2 km ; la plus grande distance est de 578 m.',
      caption: 'Contrôle du périmètre d’un projet de démonstration : 29 % de la limite.',
    },
  },
  createCustomBlock(ChangeTimeline, regulatoryDates),
  turpeTable,
  {
    kind: 'steps',
    title: 'Mettre une opération en règle',
    items: [
      {
        title: 'Créer la personne morale',
        text: 'Association, coopérative, société, syndicat ou bailleur. Pour qui n’est pas un ménage, le partage ne peut pas être l’activité principale.',
      },
      {
        title: 'Réunir les accords',
        text: 'Chaque participant adhère, consent à la transmission de sa courbe et n’appartient à aucune autre opération.',
      },
      {
        title: 'Signer la convention',
        text: 'Avec le gestionnaire de réseau : liste des points, clé, date d’effet. Voisol en prépare les listes.',
      },
      {
        title: 'Tenir à jour',
        text: 'Entrées, sorties et changements de clé sont notifiés avant leur date ; le dossier garde chaque version.',
      },
    ],
  },
  {
    kind: 'faq',
    ground: 'soft',
    title: 'Questions de droit, réponses de terrain',
    items: [
      {
        question: 'L’accise est-elle vraiment nulle ?',
        answer:
          'Oui depuis le 1er mars 2025, pour l’énergie renouvelable partagée d’un site de moins de 1 MW (puissance crête pour le solaire), sous les conditions fixées par l’administration. À partir de 1 MW, le producteur la déclare.',
      },
      {
        question: 'Qui doit facturer la TVA ?',
        answer:
          'Le producteur assujetti facture 20 %. En franchise en base, sa facture porte la mention d’exonération. Un particulier jusqu’à 3 kWc reste en dehors du champ.',
      },
      {
        question: 'La facture électronique concerne-t-elle les petites opérations ?',
        answer:
          'La réception est obligatoire pour tout assujetti depuis le 1er septembre 2026 ; l’émission s’étend aux petites entreprises le 1er septembre 2027. Une vente à un particulier relève de la transmission de données, non de la facture électronique.',
      },
      {
        question: 'Combien de temps garder les courbes ?',
        answer:
          'Le moins possible au pas fin. Une courbe de charge révèle des habitudes : la CNIL a jugé excessive une conservation de cinq ans en base active. Les factures, elles, se gardent dix ans.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Vérifiez votre périmètre',
    text: 'Placez vos points : distances et puissances sont contrôlées aussitôt, avec la règle qui s’applique.',
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Nous contacter', href: '/contact' },
    ],
  },
])
