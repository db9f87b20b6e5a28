import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { formatCount } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The file that search engines read is the truth: its own addresses are counted. */
async function countIndexedPages(): Promise<number> {
  const answer = await fetch('/sitemap.xml')
  const text = answer.ok ? await answer.text() : ''
  if (!text.includes('<urlset')) throw new Error('no sitemap')
  return text.split('<loc>').length - 1
}

const FileLink = ({ href, children }: { href: string; children: string }) => (
  <a
    href={href}
    target="_blank"
    rel="noreferrer"
    className="relative inline-flex min-h-6 items-center gap-1.5 text-link"
  >
    {children}
    <ExternalLink aria-hidden="true" className="size-3.5" />
    <span className="sr-only"> (nouvel onglet)</span>
  </a>
)

export function SiteMap() {
  const { data, error, refetch } = useQuery({ queryKey: ['/sitemap.xml'], queryFn: countIndexedPages, staleTime: 0 })
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <Card title="Plan du site" description="Les pages que les moteurs de recherche sont invités à lire.">
        {error ? (
          <ErrorState title="Le plan n’a pas pu être lu" advice="Réessayez dans un instant." onRetry={refetch} />
        ) : (
          <>
            <p className="tabular mb-3 text-2xl font-semibold">
              {data === undefined ? (
                <Skeleton className="h-8 w-40" />
              ) : (
                formatCount(data, 'page indexée', 'pages indexées')
              )}
            </p>
            <FileLink href="/sitemap.xml">/sitemap.xml</FileLink>
          </>
        )}
      </Card>
      <Card title="Consignes aux robots" description="Ce qui ne doit pas être parcouru, et où se trouve le plan.">
        <FileLink href="/robots.txt">/robots.txt</FileLink>
      </Card>
    </div>
  )
}
