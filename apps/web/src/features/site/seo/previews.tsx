import { SEO_LENGTHS } from '@voisol/contract/seo'
import { useState } from 'react'

type ServedText = { title: string; description: string }

/** A result as a search engine shows it, cut where it cuts. */
export const SearchPreview = ({ path, title, description }: ServedText & { path: string }) => (
  <section aria-label="Dans les résultats de recherche">
    <h3 className="mb-2 text-body font-medium">Dans les résultats de recherche</h3>
    <div className="rounded-card border border-line bg-card p-4">
      <p className="truncate text-[0.8125rem] text-ink-soft">{formatBreadcrumb(location.host, path)}</p>
      <p className="mt-1 text-lg leading-snug break-words text-[#1a0dab]">
        {truncateAtWord(title, SEO_LENGTHS.title.max)}
      </p>
      <p className="mt-1 text-body break-words text-ink-soft">
        {truncateAtWord(description, SEO_LENGTHS.description.max)}
      </p>
    </div>
  </section>
)

/** The card of a shared link. */
export function SharePreview({ title, description, previewImageUrl }: ServedText & { previewImageUrl: string }) {
  const [missing, setMissing] = useState('')
  return (
    <section aria-label="Quand la page est partagée">
      <h3 className="mb-2 text-body font-medium">Quand la page est partagée</h3>
      <div className="max-w-md overflow-hidden rounded-card border border-line bg-card">
        {missing === previewImageUrl ? (
          <p className="grid aspect-[1200/630] place-items-center bg-page p-4 text-center text-body text-warning">
            Il n’y a pas d’image à l’adresse {previewImageUrl}
          </p>
        ) : (
          <img
            src={previewImageUrl}
            alt=""
            onError={() => setMissing(previewImageUrl)}
            className="aspect-[1200/630] w-full bg-page object-cover"
          />
        )}
        <div className="border-t border-line p-3">
          <p className="text-[0.75rem] text-ink-soft">{location.host}</p>
          <p className="line-clamp-2 font-medium break-words">{title}</p>
          <p className="line-clamp-2 text-[0.8125rem] break-words text-ink-soft">{description}</p>
        </div>
      </div>
    </section>
  )
}

/** As a search engine cuts a text: at the last whole word that fits. */
export function truncateAtWord(text: string, max: number): string {
  const letters = [...text.trim()]
  if (letters.length <= max) return letters.join('')
  const start = letters.slice(0, max - 1).join('')
  const space = start.lastIndexOf(' ')
  return `${(space > max / 2 ? start.slice(0, space) : start).replace(/[\s,;:.–—-]+$/, '')}…`
}

/** « voisol.fr › solutions › collective ». */
export const formatBreadcrumb = (host: string, path: string) => [host, ...path.split('/').filter(Boolean)].join(' › ')
