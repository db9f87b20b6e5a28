import BatteryCharging from 'lucide-react/icons/battery-charging'
import Building2 from 'lucide-react/icons/building-2'
import HeartHandshake from 'lucide-react/icons/heart-handshake'
import KeyRound from 'lucide-react/icons/key-round'
import Landmark from 'lucide-react/icons/landmark'
import Waypoints from 'lucide-react/icons/waypoints'
import { AssemblyScene } from '../illustrations/assembly.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage } from '../page.tsx'

export default createContentPage('/solutions/sur-mesure', [
  {
    kind: 'hero',
    eyebrow: 'Solutions sur mesure',
    title: 'Quand l’opération ne ressemble à aucune autre',
    lead: 'Plusieurs producteurs à des prix différents, une batterie, une dérogation, vingt résidences, un système d’information exigeant : la règle reste la même, l’assemblage est le vôtre.',
    actions: [
      { label: 'Décrire votre cas', href: '/contact' },
      { label: 'Demander une démo', opens: 'booking' },
    ],
    illustration: AssemblyScene,
  },
  {
    kind: 'features',
    title: 'Six cas qui sortent de l’ordinaire',
    items: [
      {
        icon: Waypoints,
        title: 'Plusieurs producteurs, plusieurs prix',
        text: 'La répartition dynamique complète attribue l’énergie de chaque producteur à chaque consommateur. Chacun sait de quel toit vient son kilowattheure, et chaque toit peut avoir son prix.',
      },
      {
        icon: BatteryCharging,
        title: 'Une batterie dans l’opération',
        text: 'Elle compte comme un consommateur quand elle se remplit, comme un producteur quand elle restitue (articles D. 315-1 et suivants du code de l’énergie).',
      },
      {
        icon: Landmark,
        title: 'Un territoire entier',
        text: 'Sous la dérogation de 2025, une intercommunalité et ses services publics partagent jusqu’à 10 MW dans tout leur territoire, sans limite de distance.',
      },
      {
        icon: Building2,
        title: 'Un patrimoine, une seule personne',
        text: 'Producteur et consommateurs sont la même entité : pas de vente, mais un relevé interne et une répartition par bâtiment, par budget ou par service.',
      },
      {
        icon: HeartHandshake,
        title: 'Un tarif solidaire',
        text: 'Un rang de priorité pour certains logements, un prix nul si vous le décidez, sans que leur nom apparaisse dans le portail des autres.',
      },
      {
        icon: KeyRound,
        title: 'Votre informatique',
        text: 'API documentée, webhooks signés, connexion unique d’entreprise [à venir], dépôt de fichiers : Voisol s’insère, il ne remplace pas.',
      },
    ],
  },
  {
    kind: 'table',
    ground: 'soft',
    title: 'La clé complète, sur un quart d’heure',
    lead: 'Deux toits injectent 600 et 400 Wh. L’atelier consomme 800 Wh, l’école 300. Le premier toit est réservé à l’atelier ; les trois quarts du second vont à l’école.',
    look: 'figures',
    columns: ['Participant', 'Toit de l’atelier', 'Toit de l’école', 'Reçu', 'Complément'],
    groups: [
      {
        rows: [
          { label: 'Atelier', cells: ['600 Wh', '0 Wh', '600 Wh', '200 Wh'] },
          { label: 'École', cells: ['0 Wh', '300 Wh', '300 Wh', '0 Wh'] },
          { label: 'Surplus du toit', cells: ['0 Wh', '100 Wh', '', ''] },
        ],
      },
    ],
    note: 'Le surplus reste attaché au toit qui l’a produit : son acheteur reçoit le compte exact.',
  },
  {
    kind: 'steps',
    title: 'Comment nous travaillons ensemble',
    items: [
      { title: 'Cadrer', text: 'Une heure pour décrire l’opération, ses règles et ce que vos outils attendent.' },
      { title: 'Maquetter', text: 'Un espace d’essai avec vos courbes et vos clés : on discute sur des chiffres.' },
      {
        title: 'Recetter',
        text: 'Un mois calculé en double, le vôtre et le nôtre, jusqu’à ce que chaque écart soit expliqué.',
      },
      { title: 'Exploiter', text: 'Mise en service à une date, reprise de l’historique, formation de l’équipe.' },
    ],
  },
  {
    kind: 'faq',
    ground: 'soft',
    title: 'Avant de nous écrire',
    items: [
      {
        question: 'Que faut-il vous apporter ?',
        answer:
          'La liste des points de livraison, même incomplète, et quelques semaines de courbes. Un schéma à la main des prix et des priorités vaut un cahier des charges.',
      },
      {
        question: 'Le sur-mesure devient-il un produit à part ?',
        answer:
          'Non. Vous gardez la même plateforme et ses mises à jour ; ce qui vous est propre tient dans des réglages, des connecteurs et des contrats.',
      },
      {
        question: 'Quel est le prix ?',
        answer: 'La formule Enterprise est sur devis, comme les intégrations personnalisées.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Racontez-nous votre opération',
    text: 'Le plus étrange des montages se résume presque toujours à une clé, un prix et une date.',
    actions: [
      { label: 'Nous contacter', href: '/contact' },
      { label: 'Essayer gratuitement', href: TRIAL_PATH },
    ],
  },
])
