import BookOpen from 'lucide-react/icons/book-open'
import ChartColumn from 'lucide-react/icons/chart-column'
import Rocket from 'lucide-react/icons/rocket'
import Split from 'lucide-react/icons/split'
import Users from 'lucide-react/icons/users'
import { Link, useLoaderData } from 'react-router'
import { cardClass } from '../../components/card.tsx'
import { cx } from '../../components/cx.ts'
import { formatCount } from '../../lib/format.ts'
import { FourModules } from '../illustrations/four-modules.tsx'
import { ContentListHeader, ContentListNotice, formatReadingTime, getContentPath } from './content-blocks.tsx'
import type { ContentListData } from './content-list.tsx'

const GUIDE_GROUPS = [
  { category: 'premiers-pas', title: 'Premiers pas', text: 'Ouvrir son espace, inviter, s’y retrouver.', icon: Rocket },
  {
    category: 'operations',
    title: 'Opérations et participants',
    text: 'Créer une opération, faire entrer et sortir chacun.',
    icon: Users,
  },
  {
    category: 'donnees',
    title: 'Données et courbes',
    text: 'Importer, vérifier, compléter, exporter.',
    icon: ChartColumn,
  },
  {
    category: 'repartition',
    title: 'Répartition',
    text: 'Choisir une clé, calculer, comparer, prouver.',
    icon: Split,
  },
  { category: 'portail', title: 'Portail client', text: 'Ce que voit et fait un participant.', icon: BookOpen },
]
type Guides = NonNullable<ContentListData>['items']

function GuideGroup({
  title,
  text,
  icon: Icon,
  guides,
}: Omit<(typeof GUIDE_GROUPS)[number], 'category'> & { guides: Guides }) {
  const minutes = guides.reduce((sum, { readingMinutes }) => sum + readingMinutes, 0)
  return (
    <section className={cx(cardClass, 'p-5 sm:p-6 lg:p-8 lg:last:odd:col-span-2')}>
      <Icon aria-hidden="true" className="mb-4 size-7 text-consumption" />
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="mt-1 text-ink-soft">{text}</p>
      <p className="mt-1 text-[0.875rem] text-ink-muted">
        {formatCount(guides.length, 'guide')}, {formatReadingTime(minutes)}
      </p>
      <ul className="mt-5 divide-y divide-line border-t border-line">
        {guides.map((guide) => (
          <li key={guide.slug} className="flex items-baseline justify-between gap-4 py-3">
            <Link to={getContentPath(guide)} className="font-medium hover:text-primary-ink hover:underline">
              {guide.title}
            </Link>
            <span className="tabular shrink-0 text-[0.875rem] text-ink-muted">{guide.readingMinutes}&nbsp;min</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

export default function UserGuide() {
  const data = useLoaderData<ContentListData | undefined>()
  const of = (category: string) => data?.items.filter((guide) => guide.category === category) ?? []
  return (
    <>
      <ContentListHeader
        eyebrow="Guide d’utilisation"
        illustration={FourModules}
        title="Se servir de Voisol, geste par geste"
        lead="Cinq groupes de guides courts, dans l’ordre où l’on en a besoin, chacun avec son temps de lecture."
      />
      <div className="mx-auto max-w-[1248px] px-4 py-14 sm:px-6 lg:py-20">
        {data?.items.length ? (
          <div className="grid gap-6 lg:grid-cols-2">
            {GUIDE_GROUPS.map(({ category, ...group }) => (
              <GuideGroup key={category} {...group} guides={of(category)} />
            ))}
          </div>
        ) : (
          <ContentListNotice known={Boolean(data)} empty="Aucun guide n’est publié pour le moment." />
        )}
      </div>
    </>
  )
}
