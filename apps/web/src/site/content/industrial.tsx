import { FactoryScene } from '../illustrations/scenes.tsx'
import { DayColumns } from '../illustrations/small-scenes.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage } from '../page.tsx'

export default createContentPage('/solutions/industrial', [
  {
    kind: 'hero',
    eyebrow: 'Sites industriels et zones d’activité',
    title: 'Vos toitures travaillent aussi le dimanche',
    lead: 'Ce que votre site ne consomme pas vaut davantage chez votre voisin que dans le surplus. Voisol organise ce partage et sa comptabilité.',
    actions: [
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
      { label: 'Comparer les répartitions', href: '/solutions#methodes' },
    ],
    illustration: FactoryScene,
  },
  {
    kind: 'story',
    title: 'Ce qui change pour le responsable énergie',
    paragraphs: [
      'Seule l’énergie injectée entre dans l’opération : ce que votre site consomme derrière son compteur reste à vous. Le reste est affecté aux participants avant d’être vendu en surplus.',
    ],
    points: [
      { term: 'Priorités', text: 'Une cascade sert d’abord vos propres sites, puis vos partenaires, puis la zone.' },
      {
        term: 'Prix',
        text: 'Par participant, par poste horosaisonnier ou indexé ; chaque version est datée.',
      },
      { term: 'Surplus', text: 'Suivi par producteur et par quart d’heure, prêt pour l’acheteur ou l’agrégateur.' },
      {
        term: 'Stockage',
        text: 'Une batterie compte comme un consommateur quand elle charge, comme un producteur quand elle restitue.',
      },
    ],
    illustration: DayColumns,
  },
  {
    kind: 'steps',
    ground: 'soft',
    title: 'Du bilan de zone à l’exploitation',
    items: [
      {
        title: 'Dresser le bilan',
        text: 'Courbes des sites au pas de 15 minutes, toitures et projets : où l’énergie manque, où elle déborde.',
      },
      {
        title: 'Dimensionner',
        text: 'La puissance utile est celle que la zone sait consommer, sous la limite de 5 MW cumulés.',
      },
      {
        title: 'Contractualiser',
        text: 'Personne morale organisatrice, convention avec le gestionnaire de réseau, contrats entre producteurs et consommateurs.',
      },
      {
        title: 'Exploiter',
        text: 'Répartition, rapprochement avec le distributeur et factures électroniques ; écritures comptables [à venir].',
      },
    ],
  },
  {
    kind: 'features',
    title: 'Ce que votre comptabilité demande',
    lead: 'Les règles de la facturation tiennent dans des tables datées : un changement de taux s’applique à sa date, sans toucher au passé.',
    items: [
      {
        title: 'Accise',
        text: 'Taux nul sur l’énergie partagée quand le site de production fait moins de 1 MW. À partir de 1 MW, le producteur la déclare.',
        points: ['Une ligne de facture par classe, à partir de 1 MW', 'Source et date de chaque taux'],
      },
      {
        title: 'Factures électroniques',
        text: 'Réception obligatoire depuis le 1er septembre 2026, émission pour tous au 1er septembre 2027.',
        points: ['Factur-X au profil EN 16931', 'Mentions et numérotation continues'],
      },
      {
        title: 'Écritures [à venir]',
        text: 'Ventes, avoirs et régularisations sortent dans le format du fichier des écritures comptables.',
        points: ['Journal des ventes et TVA par taux', 'Rapprochement des règlements'],
      },
    ],
  },
  {
    kind: 'faq',
    ground: 'soft',
    title: 'Questions d’exploitants',
    items: [
      {
        question: 'Mon contrat d’obligation d’achat est-il compatible ?',
        answer:
          'Les contrats antérieurs à l’arrêté S21 ne le sont en général pas. Il faut le vérifier avant d’inscrire l’installation.',
      },
      {
        question: 'Le partage d’énergie peut-il devenir notre métier ?',
        answer:
          'Pour un participant qui n’est pas un ménage, l’autoconsommation collective ne peut pas être l’activité professionnelle principale (article L. 315-2 du code de l’énergie).',
      },
      {
        question: 'Que vaut le calcul de Voisol face à celui d’Enedis ?',
        answer:
          'Les deux sont rapprochés chaque mois. La facture doit toujours suivre les quantités définitives du distributeur ; un écart est montré et expliqué.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Mesurez ce que votre zone peut partager',
    text: 'Importez les courbes de quelques sites : le premier bilan tient en un écran.',
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Demander une démo', opens: 'booking' },
    ],
  },
])
