import { type SharesContent, SharesTable } from '../blocks/shares.tsx'
import { CondominiumScene, DistrictScene, FactoryScene, SituationsScene } from '../illustrations/scenes.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage, createCustomBlock } from '../page.tsx'

/** Three neighbours take 800, 250 and 300 Wh while 1 000 Wh are produced; the static key is 50, 30 and 20 %. */
const sharesExample: SharesContent = {
  id: 'methodes',
  ground: 'soft',
  eyebrow: 'La répartition',
  title: 'Un même quart d’heure, partagé de quatre façons',
  lead: 'Le toit donne 1 000 Wh. L’atelier en consomme 800, l’école 250, la maison 300. Personne ne reçoit plus qu’il n’a consommé ; ce qui reste est le surplus.',
  caption: 'Énergie affectée à chaque participant selon la méthode de répartition',
  neighbours: [
    { name: 'Atelier', fill: '#1e3a8a' },
    { name: 'École', fill: '#5b76a8' },
    { name: 'Maison', fill: '#b9c9de' },
  ],
  rows: [
    { method: 'Statique', rule: 'Des parts fixes : 50, 30 et 20 %', shares: [500, 250, 200], surplus: 50 },
    { method: 'Dynamique par défaut', rule: 'Au prorata des consommations', shares: [593, 185, 222], surplus: 0 },
    { method: 'Dynamique simple', rule: 'Vos coefficients, ici à parts égales', shares: [450, 250, 300], surplus: 0 },
    {
      method: 'Par priorité',
      rule: 'L’atelier d’abord, puis l’école, puis la maison',
      shares: [800, 200, 0],
      surplus: 0,
    },
  ],
  note: 'La cinquième méthode, dynamique complète, applique des coefficients distincts à chaque producteur. Seule la clé statique laisse perdre la part qu’un participant n’utilise pas : elle rejoint le surplus.',
}

export default createContentPage('/solutions', [
  {
    kind: 'hero',
    eyebrow: 'Les solutions',
    title: 'Partager le soleil, de l’immeuble à la zone d’activité',
    lead: 'La loi est la même pour tous ; les voisins, les usages et la façon de décider ne le sont pas. Partez de votre situation.',
    actions: [
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
      { label: 'Demander une démo', opens: 'booking' },
    ],
    illustration: SituationsScene,
  },
  {
    kind: 'features',
    title: 'Où se trouve votre toit ?',
    items: [
      {
        illustration: CondominiumScene,
        title: 'Résidentiel',
        text: 'Copropriétés, syndics et bailleurs : l’énergie du toit pour les logements et les parties communes.',
        points: ['Clé par tantièmes ou au prorata des consommations', 'Un espace simple pour chaque habitant'],
        more: { label: 'La solution résidentielle', href: '/solutions/residential' },
      },
      {
        illustration: DistrictScene,
        title: 'Collectif',
        text: 'Collectivités, ZAC et éco-quartiers : des bâtiments publics et des habitants dans une même opération.',
        points: ['Périmètre de 2, 10 ou 20 km', 'Plusieurs producteurs, plusieurs prix'],
        more: { label: 'La solution collective', href: '/solutions/collective' },
      },
      {
        illustration: FactoryScene,
        title: 'Industriel',
        text: 'Sites industriels et zones d’activité : les grandes toitures au service des entreprises voisines.',
        points: ['Priorités entre consommateurs', 'Surplus suivi par producteur'],
        more: { label: 'La solution industrielle', href: '/solutions/industrial' },
      },
    ],
  },
  createCustomBlock(SharesTable, sharesExample),
  {
    kind: 'steps',
    title: 'Démarrer, quelle que soit la situation',
    items: [
      { title: 'Décrire', text: 'Les points de livraison, les toits et les consommations, saisis ou importés.' },
      { title: 'Comparer', text: 'Les méthodes de répartition, appliquées à vos courbes passées.' },
      { title: 'Déclarer', text: 'Les annexes de la convention avec le gestionnaire de réseau, prêtes à signer.' },
      { title: 'Partager', text: 'La première répartition, le premier relevé, puis la première facture.' },
    ],
  },
  {
    kind: 'features',
    ground: 'soft',
    eyebrow: 'Par besoin',
    title: 'Ou partez de la question que vous vous posez',
    items: [
      {
        title: 'Comment cela marche-t-il ?',
        text: 'Les rôles, le prix, les taxes et une journée réelle, pour qui découvre le sujet.',
        more: { label: 'L’autoconsommation collective', href: '/solutions/autoconsommation-collective' },
      },
      {
        title: 'Comment perdre moins de surplus ?',
        text: 'Trois leviers chiffrés : la clé, les heures, les voisins.',
        more: { label: 'Optimisation énergétique', href: '/solutions/optimisation-energetique' },
      },
      {
        title: 'Comment tenir le dossier ?',
        text: 'Entrées, sorties, clés et consentements, chacun à sa date.',
        more: { label: 'Gestion intelligente', href: '/solutions/gestion-intelligente' },
      },
      {
        title: 'Que disent mes chiffres ?',
        text: 'Six indicateurs et leurs formules, la performance des toits, la prévision et son écart au mesuré.',
        more: { label: 'Analyses et prédictions', href: '/solutions/analytics-predictions' },
      },
      {
        title: 'Et si mon cas est particulier ?',
        text: 'Batterie, plusieurs prix, dérogation, patrimoine : l’assemblage est le vôtre.',
        more: { label: 'Sur mesure', href: '/solutions/sur-mesure' },
      },
      {
        title: 'Par où commencer ?',
        text: 'L’offre qui correspond à votre situation, et les étapes jusqu’au premier kilowattheure.',
        more: { label: 'Solutions commerciales', href: '/solutions-commerciales' },
      },
    ],
  },
  {
    kind: 'call',
    title: 'Essayez sur votre opération',
    text: 'L’espace d’essai est complet : invitez votre syndic, vos élus ou vos voisins d’usine.',
    claims: ['30 jours d’essai gratuit', 'Installation en 48 h [objectif]', 'Support 24/7 [objectif]'],
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Une solution sur mesure', href: '/solutions/sur-mesure' },
    ],
  },
])
