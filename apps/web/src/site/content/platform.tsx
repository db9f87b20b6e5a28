import { StagesScene } from '../illustrations/scenes.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage } from '../page.tsx'

export default createContentPage('/platform', [
  {
    kind: 'hero',
    eyebrow: 'La plateforme, pour ceux qui tiennent une opération',
    title: 'De la courbe de charge à la part de chacun, au même endroit',
    lead: 'Voisol remplace les fichiers reçus par courriel, les tableurs et les relances par une seule donnée, suivie du compteur jusqu’à la part de chacun.',
    actions: [
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
      { label: 'Demander une démo', opens: 'booking' },
    ],
    illustration: StagesScene,
  },
  {
    kind: 'anchors',
    items: [
      { id: 'intelligent-management', label: 'Gestion intelligente' },
      { id: 'analytics', label: 'Analyses et prédictions' },
      { id: 'security', label: 'Sécurité' },
    ],
  },
  {
    kind: 'steps',
    title: 'Un mois d’opération, sans ressaisie',
    lead: 'Le même enchaînement chaque mois, dont chaque étape peut être revue, justifiée et refaite à l’identique.',
    items: [
      {
        title: 'Recevoir',
        text: 'Les courbes de la veille arrivent chaque matin. Les jours manquants sont redemandés d’eux-mêmes jusqu’à ce qu’ils arrivent.',
      },
      {
        title: 'Vérifier',
        text: 'Trous, doublons, valeurs aberrantes et corrections sont signalés. Une valeur absente n’est jamais lue comme un zéro.',
      },
      {
        title: 'Affecter',
        text: 'La clé en vigueur à cette date répartit la production. Le calcul est rapproché des quantités définitives du distributeur.',
      },
      {
        title: 'Clore',
        text: 'Le mois est arrêté par un calcul définitif. Les factures en découlent : une correction ultérieure donne un avoir, jamais une facture modifiée.',
      },
    ],
  },
  {
    kind: 'story',
    id: 'intelligent-management',
    ground: 'soft',
    eyebrow: 'Gestion intelligente',
    title: 'L’opération vit, le dossier suit',
    paragraphs: [
      'Un locataire part, un producteur arrive, la clé change à l’assemblée générale : chaque mouvement prend effet à sa date, et le mois est calculé par sous-périodes.',
    ],
    points: [
      {
        term: 'Périmètre',
        text: 'Distance entre les deux points les plus éloignés et puissance cumulée, contrôlées à chaque entrée.',
      },
      {
        term: 'Participants',
        text: 'Accords signés, consentements et leur échéance, rôle de chaque point : soutirage ou injection.',
      },
      {
        term: 'Clés',
        text: 'Versions datées ; la somme des coefficients est vérifiée à chaque instant, elle ne dépasse jamais 100 %.',
      },
      { term: 'Plusieurs opérations', text: 'Un seul tableau de bord, des actions groupées, des rôles par société.' },
    ],
  },
  {
    kind: 'story',
    id: 'analytics',
    eyebrow: 'Analyses et prédictions',
    title: 'Comprendre hier, prévoir demain',
    paragraphs: [
      'La production solaire est prévue par IA avec 95 % de précision [objectif]. Décaler les usages d’après la prévision améliore l’autoconsommation de 5 à 15 % [objectif].',
      'Chaque indicateur dit sa formule, sa période et la date jusqu’à laquelle les données sont connues.',
    ],
    points: [
      { term: 'Autoconsommation', text: 'Part de la production consommée dans l’opération.' },
      { term: 'Autoproduction', text: 'Part de la consommation couverte par l’énergie locale.' },
      { term: 'Complétude', text: 'Quarts d’heure reçus, rapportés aux 92, 96 ou 100 attendus ce jour-là.' },
      {
        term: 'CO₂ évité',
        text: 'Énergie affectée multipliée par l’écart entre deux facteurs dont la source est indiquée.',
      },
    ],
  },
  {
    kind: 'features',
    id: 'security',
    ground: 'soft',
    eyebrow: 'Sécurité',
    title: 'Une courbe de charge raconte une vie : elle se protège',
    lead: 'Les données fines de consommation sont des données personnelles. La plateforme est construite pour que chacun ne voie que les siennes.',
    items: [
      {
        title: 'Accès',
        text: 'Chaque requête est limitée à la société et au rôle de celui qui la fait.',
        points: [
          'Second facteur et codes de secours',
          'Sessions révocables à l’instant',
          'Déconnexion après 24 h d’inactivité',
        ],
      },
      {
        title: 'Chiffrement et traces',
        text: 'Ce qui est secret est illisible dans une sauvegarde ; ce qui est fait laisse une trace.',
        points: ['Échanges chiffrés SSL/TLS', 'Secrets chiffrés en AES-256', 'Journal d’audit chaîné, en ajout seul'],
      },
      {
        title: 'Hébergement et continuité',
        text: 'La disponibilité mesurée est publique, jour par jour.',
        points: [
          'Hébergement en France [objectif]',
          'Sauvegarde quotidienne [objectif]',
          'Certification ISO 27001 en cours [objectif]',
        ],
        more: { label: 'État du service', href: '/status' },
      },
    ],
  },
  {
    kind: 'call',
    title: 'Ouvrez votre espace',
    text: 'Trente jours pour voir un mois entier se répartir, de la première courbe à la part de chacun.',
    claims: ['30 jours d’essai gratuit', 'Installation en 24 h [objectif]', 'Support 24/7 [objectif]'],
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Toutes les fonctionnalités', href: '/features' },
    ],
  },
])
