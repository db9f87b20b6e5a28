import Bell from 'lucide-react/icons/bell'
import ChartArea from 'lucide-react/icons/chart-area'
import Check from 'lucide-react/icons/check'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import House from 'lucide-react/icons/house'
import Palette from 'lucide-react/icons/palette'
import Ruler from 'lucide-react/icons/ruler'
import ScrollText from 'lucide-react/icons/scroll-text'
import Split from 'lucide-react/icons/split'
import { type ComponentType, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { ProductScreenshot, type Screenshot } from '../blocks/hero.tsx'
import {
  type Background,
  type LinkAction,
  MarkedText,
  MoreLink,
  PageSection,
  type SectionHeadingContent,
} from '../blocks/section.tsx'
import { TRIAL_PATH } from '../links.ts'
import { createContentPage, createCustomBlock } from '../page.tsx'

type ChoiceItem = Screenshot & {
  id: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  title: string
  text: string
  heading: string
  details: string
  points: string[]
  more: LinkAction
}

type ChoiceContent = SectionHeadingContent & { ground?: Background; legend: string; items: ChoiceItem[] }

/** The chosen one is in the address, so that it can be sent to somebody. */
function useChosenItem(items: ChoiceItem[]) {
  const { hash } = useLocation()
  const [chosen, choose] = useState(items[0]?.id)
  useEffect(() => {
    const target = items.find(({ id }) => `#${id}` === hash)
    if (target) choose(target.id)
  }, [items, hash])
  return [
    chosen,
    (id: string) => {
      choose(id)
      history.replaceState(history.state, '', `#${id}`)
    },
  ] as const
}

function ChoiceDetails({ id, heading, details, points, more, ...picture }: ChoiceItem) {
  return (
    <article
      id={id}
      className="hidden scroll-mt-40 gap-y-8 pt-4 pb-8 peer-checked:grid md:order-2 md:col-span-full md:pt-10 md:pb-0"
    >
      <div className="grid items-start gap-x-16 lg:grid-cols-2">
        <div>
          <h3 className="text-2xl font-semibold">{heading}</h3>
          <p className="mt-3 text-lg leading-relaxed text-ink-soft text-pretty">{details}</p>
        </div>
        <ul className="grid gap-2.5 max-lg:mt-5 lg:mt-1">
          {points.map((point) => (
            <li key={point} className="flex gap-2.5">
              <Check aria-hidden="true" className="mt-1 size-4 text-success" />
              <span>
                <MarkedText text={point} />
              </span>
            </li>
          ))}
        </ul>
        <div className="mt-5">
          <MoreLink {...more} />
        </div>
      </div>
      <ProductScreenshot picture={picture.picture} alt={picture.alt} caption={picture.caption} />
    </article>
  )
}

const cardClass =
  'flex flex-col rounded-card border border-line bg-card p-5 shadow-card transition-colors duration-150 hover:border-control md:order-1 lg:p-6 ' +
  'peer-checked:border-[#f2b544] peer-checked:bg-[#fffaf0] peer-checked:ring-1 peer-checked:ring-[#f2b544] peer-focus-visible:outline-2 peer-focus-visible:outline-ring peer-focus-visible:outline-offset-2'

/** Radio buttons drawn as cards: the arrow keys move between them, and the choice works without script. */
function ChoiceBlock({ legend, items, ...section }: ChoiceContent) {
  const [chosen, choose] = useChosenItem(items)
  return (
    <PageSection {...section}>
      <fieldset className="mt-8">
        <legend className="sr-only">{legend}</legend>
        <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-4">
          {items.map((item) => (
            <div key={item.id} className="contents">
              <input
                type="radio"
                name="choice"
                id={`choix-${item.id}`}
                checked={chosen === item.id}
                onChange={() => choose(item.id)}
                className="peer sr-only"
              />
              <label htmlFor={`choix-${item.id}`} className={cardClass}>
                <item.icon aria-hidden="true" className="mb-4 size-7 text-consumption" />
                <span className="text-lg font-semibold tracking-tight">{item.title}</span>
                <span className="mt-1 text-[0.9375rem] text-ink-soft text-pretty">{item.text}</span>
              </label>
              <ChoiceDetails {...item} />
            </div>
          ))}
        </div>
      </fieldset>
    </PageSection>
  )
}

export default createContentPage('/features', [
  {
    kind: 'hero',
    eyebrow: 'Fonctionnalités',
    title: 'Tout ce qu’il faut pour tenir une opération',
    lead: 'Recevoir les mesures, répartir l’énergie, étudier les projets, rendre compte à chacun. Les écrans ci-dessous sont ceux de la démonstration, tels quels.',
    actions: [
      { label: 'Essayer gratuitement 30 jours', href: TRIAL_PATH },
      { label: 'Demander une démo', opens: 'booking' },
    ],
  },
  createCustomBlock(ChoiceBlock, {
    title: 'Quatre façons d’y entrer',
    lead: 'Choisissez ce qui vous occupe le plus : l’écran s’ouvre dessous.',
    legend: 'Choisir une fonctionnalité',
    items: [
      {
        id: 'repartition',
        icon: Split,
        title: 'Répartition',
        text: 'Qui a reçu quoi, et selon quelle règle',
        heading: 'Chaque kilowattheure a une origine et un destinataire',
        details:
          'Cinq méthodes, des clés datées, un calcul provisoire chaque jour et définitif chaque mois. La somme des parts et du surplus égale la production : la preuve est affichée.',
        points: [
          'Clés statique, dynamiques et par priorité',
          'Comparaison des méthodes sur vos propres relevés',
          'Fichiers de coefficients prêts pour le distributeur',
          'Écarts expliqués après une correction',
        ],
        more: { label: 'L’autoconsommation collective expliquée', href: '/solutions/autoconsommation-collective' },
        picture: 'repartition',
        alt: 'Écran de répartition : un toit et le réseau à gauche, les appartements de la résidence à droite, reliés par des flux proportionnels à l’énergie reçue.',
        caption: 'Résidence Les Tilleuls, juin 2026 : un toit de 36 kWc, 24 logements et les parties communes.',
      },
      {
        id: 'mesures',
        icon: ChartArea,
        title: 'Mesures',
        text: 'Les courbes reçues, vérifiées, explorées',
        heading: 'Une journée se lit au quart d’heure',
        details:
          'Les fichiers du distributeur sont reconnus à leur contenu. Trous, corrections et valeurs impossibles apparaissent avant d’être comptés ; une absence n’est jamais lue comme un zéro.',
        points: [
          'Pas de 5, 10, 15, 30 ou 60 minutes, alignés sans perte',
          'Jour, semaine, mois, année, comparaison',
          'Chaque version d’une journée est conservée',
          'Export de ce qui est affiché',
        ],
        more: { label: 'La science des données', href: '/expertise/data-science' },
        picture: 'courbes',
        alt: 'Courbes d’une journée de juin : l’énergie locale en ambre, le réseau en ardoise, le surplus en turquoise au milieu du jour.',
        caption: 'Le 11 juin 2026 : 42 % de la consommation couverte par le toit, 41 % de la production en surplus.',
      },
      {
        id: 'etudes',
        icon: Ruler,
        title: 'Études',
        text: 'Un projet chiffré avant d’être signé',
        heading: 'Savoir avant de poser le premier panneau',
        details:
          'Toitures, candidats, périmètre : l’étude calcule une année heure par heure et dit ce que l’opération partagerait, ce qu’elle vendrait et en combien de temps elle se rembourserait.',
        points: [
          'Production par orientation, pente et lieu',
          'Profils types ou courbes importées',
          'Distances et puissances contrôlées',
          'Le projet devient une opération en un geste',
        ],
        more: { label: 'La conception solaire', href: '/expertise/conception' },
        picture: 'etude',
        alt: 'Étude d’un projet : 70 % d’autoconsommation, investissement, recettes, économies, temps de retour et bilan mois par mois.',
        caption: 'Cœur d’Oullins : 125 kWc et 35 candidats, sur une année type.',
      },
      {
        id: 'portail',
        icon: House,
        title: 'Portail',
        text: 'L’espace de chaque participant',
        heading: 'Une phrase, un graphique, une action',
        details:
          'Le participant voit d’abord la part de son électricité venue des toits voisins, puis le détail s’il le souhaite. Il ne voit que ses données, et donne ou retire lui-même ses consentements.',
        points: [
          'Consommation, production, impact',
          'Facteurs de CO₂ et sources affichés',
          'Comparaison avec la moyenne, à partir de cinq voisins',
          'Lisible au téléphone',
        ],
        more: { label: 'La solution résidentielle', href: '/solutions/residential' },
        picture: 'portail',
        alt: 'Accueil du portail : « 18 % de votre électricité a été locale ce mois-ci », avec la consommation, l’énergie locale, le réseau et le CO₂ évité.',
        caption: 'Le portail d’un participant, en novembre : le mois où le soleil donne le moins.',
      },
    ],
  }),
  {
    kind: 'table',
    id: 'formats',
    ground: 'soft',
    title: 'Les fichiers que Voisol sait lire',
    lead: 'Déposez le fichier tel que vous l’avez reçu. Le format, le pas, l’unité et le sens de l’horodatage sont reconnus, puis montrés avant l’import.',
    columns: ['Format', 'D’où il vient', 'Unité', 'Horodatage'],
    groups: [
      {
        rows: [
          { label: 'R63, CSV', cells: ['Courbes demandées au distributeur', 'W', 'Fin de pas'] },
          { label: 'R50, XML', cells: ['Courbes des points jusqu’à 36 kVA', 'W', 'Fin de pas'] },
          { label: 'R4x, XML', cells: ['Courbes des points au-delà de 36 kVA', 'kW', 'Début de pas'] },
          { label: 'Historique, CSV', cells: ['Portail du distributeur', 'W', 'Selon la puissance'] },
          { label: 'Espace client, Excel ou CSV', cells: ['Espace personnel du client', 'kW', 'Début de pas'] },
          { label: 'Tableau large, CSV', cells: ['Une colonne par point, vos propres outils', 'W ou kW', 'Au choix'] },
        ],
      },
    ],
    note: 'Un fichier déposé deux fois ne change rien ; un fichier corrigé crée une nouvelle version de la journée, sans effacer la précédente.',
  },
  {
    kind: 'features',
    look: 'plain',
    title: 'Et ce qui fait tenir l’ensemble',
    items: [
      {
        icon: Bell,
        title: 'Ce qui demande un regard',
        text: 'Données en retard, consentements bientôt échus, mois prêts à être arrêtés : le tableau de bord commence par là.',
      },
      {
        icon: FileSpreadsheet,
        title: 'Imports et exports',
        text: 'Participants, points et relevés en CSV ou Excel ; chaque liste s’exporte telle qu’elle est filtrée.',
      },
      {
        icon: ScrollText,
        title: 'Journal d’audit',
        text: 'Qui a changé quoi, quand, avant et après : un registre chaîné, en ajout seul.',
      },
      {
        icon: Palette,
        title: 'À votre image',
        text: 'Logo, couleurs et nom de votre société, du portail jusqu’au titre de la fenêtre.',
      },
    ],
  },
  {
    kind: 'call',
    title: 'Essayez avec vos fichiers',
    text: 'Un mois de courbes suffit pour voir votre première répartition.',
    claims: ['30 jours d’essai gratuit', 'Aucun frais d’installation'],
    actions: [
      { label: 'Commencer l’essai gratuit', href: TRIAL_PATH },
      { label: 'Voir les tarifs', href: '/pricing' },
    ],
  },
])
